// Attacks our servers the way hostile or broken callers would: real processes with a heap of 256 MiB, one attack each.
//   npm run abuse [-- --short] [--only name,name | --write]
// A row says whether the server lived, how much more it keeps afterwards, how long its loop was held and how much of a
// processor it had meanwhile, how long a well-behaved caller beside it waited, and what the attacker was told. Times are
// told, and never judged. `--write` puts the table into docs/SECURITY-MODEL.md.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBystander } from './abuse/kit/bystander.mjs'
import { createClient, many, sleep } from './abuse/kit/http.mjs'
import { startVictim } from './abuse/kit/victim.mjs'
import { ROOT } from './outside.mjs'
import { printTable, writeTable } from './table.mjs'

/** Heap after the attack, in terms of before. */
const MAX_GROWTH = 1.2

/** How long a server may take to let go of what the attacker left behind. */
const SETTLE_MS = 20_000

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    write: { type: 'boolean' },
  },
})

if (values.write && values.only !== undefined) throw new Error('--write wants all attacks, without --only')

const folder = join(import.meta.dirname, 'abuse', 'attacks')
const wanted = values.only?.split(',')
const rows = []
for (const file of readdirSync(folder).toSorted()) {
  const { default: attack } = await import(join(folder, file))
  if (wanted !== undefined && !wanted.includes(attack.name)) continue
  rows.push(await run(attack))
  const { name, failed } = rows.at(-1)
  console.log(
    `${failed.length === 0 ? 'held' : 'FAILED'}  ${name}${failed.map((why) => `\n    ${why}`).join('')}`,
  )
}
report()

async function run(attack) {
  const row = { name: attack.name, failed: [] }
  let victim
  try {
    victim = await startVictim(attack.server)
    await warmUp(attack, victim)
    const before = await victim.ask('look')
    const quiet = await beside(attack, victim, () => sleep(values.short ? 1000 : 3000))
    await victim.ask('reset')
    const busy = await beside(attack, victim, () => attack.attack(victim, { short: values.short }))
    row.refusals = busy.result?.refusals ?? []
    row.failed.push(...(busy.result?.failed ?? []), ...complaints(row.refusals, attack))
    await settle(attack, victim, before, row)
    row.loop = row.after?.loop
    row.p99 = [quiet.caller?.p99, busy.caller?.p99]
    row.rss = row.after?.rss
    const turnedAway = busy.caller?.failures ?? []
    if (turnedAway.length > 0)
      row.failed.push(`a well-behaved caller was turned away ${turnedAway.length} times: ${turnedAway[0]}`)
  } catch (error) {
    row.failed.push(victim?.alive() === false ? `the server died (${error.message})` : error.message)
  } finally {
    await victim?.stop()
  }
  return row
}

/** What is loaded or compiled with the first calls is not the attack's. */
async function warmUp({ warmUp, server }, victim) {
  if (server.transport === 'stdio') return warmUp?.(victim)
  const client = createClient(victim.url, { sockets: 16, headers: server.caller })
  await many(400, 8, (round) => client.tool('add', { a: round, b: 1 }))
  await many(100, 8, async () => {
    const session = await client.openSession()
    await session.call('ping')
    await session.end()
  })
  await many(50, 8, () => client.tool('there is no such tool'))
  client.close()
  await warmUp?.(victim)
}

async function beside({ server }, victim, work) {
  if (server.transport === 'stdio') return { result: await work() }
  const bystander = await startBystander(victim.url, server.caller)
  try {
    const result = await work()
    return { result, caller: await bystander.stop() }
  } finally {
    bystander.kill()
  }
}

/** Looks until the heap is back where it was, or for long enough. */
async function settle({ settleMs = SETTLE_MS }, victim, before, row) {
  const until = Date.now() + settleMs
  for (;;) {
    if (!victim.alive()) return row.failed.push('the server died')
    row.after ??= await victim.ask('look')
    const { heap } = await victim.ask('look')
    row.growth = heap / before.heap
    if (row.growth <= MAX_GROWTH) return
    if (Date.now() > until) {
      return row.failed.push(`it keeps ${row.growth.toFixed(2)} times the heap it had before`)
    }
    await sleep(500)
  }
}

/** A refusal says in words what was wrong; an attack that is never refused must say that it expects so. */
function complaints(refusals, { refused = true }) {
  if (refused && refusals.length === 0) return ['nothing was refused']
  const mute = refusals.find((text) => typeof text !== 'string' || !/[a-z]{3,} [a-z]/i.test(text))
  return mute === undefined ? [] : [`a refusal says too little: ${JSON.stringify(mute)}`]
}

function report() {
  const cells = rows.map((row) => [
    row.name,
    row.failed.length === 0 ? 'held' : 'failed',
    row.growth === undefined ? '–' : `${row.growth.toFixed(2)} ×`,
    row.loop === undefined ? '–' : `${Math.round(row.loop.held)} ms`,
    row.loop === undefined ? '–' : `${Math.round(row.loop.work)} ms, ${Math.round(row.loop.collecting)} ms`,
    row.p99?.[1] === undefined ? '–' : `${row.p99.map((ms) => ms.toFixed(1)).join(' → ')} ms`,
    (row.refusals?.[0] ?? '–').slice(0, 110),
  ])
  const head = ['attack', '', 'heap', 'loop held', 'at work, collecting', 'others, p99', 'the attacker hears']
  console.log()
  printTable(head, cells)
  if (values.write) {
    const how = `\`npm run abuse${values.short ? ' -- --short' : ''}\``
    writeTable({ file: join(ROOT, 'docs', 'SECURITY-MODEL.md'), name: 'abuse', how, head, rows: cells })
  }
  const failed = rows.filter((row) => row.failed.length > 0).length
  console.log(`${rows.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || rows.length === 0 ? 1 : 0
}
