// One attack, in a process of its own: once it has begun it takes no more of the processors than the server and its
// other callers leave, as an attacker on another machine would; and nothing gives that up again but a new process.
import { spawnSync } from 'node:child_process'
import { setPriority } from 'node:os'
import { startBystanders } from './bystander.mjs'
import { createClient, many, sleep } from './http.mjs'
import { startVictim } from './victim.mjs'

/** Heap after the attack, in terms of before. */
const MAX_GROWTH = 1.2

/** How long a server may take to let go of what the attacker left behind. */
const SETTLE_MS = 20_000

/** Whoever attacks goes on for so long; in short, once through. */
const ATTACK_MS = 5000

const [file, only, form] = process.argv.slice(2)
const short = form === 'short'
const { default: attack } = await import(file)
const wanted = only === '' || only.split(',').includes(attack.name)
process.send(wanted ? await run() : { skipped: true }, () => process.exit())

async function run() {
  const row = { name: attack.name, failed: [] }
  let victim
  let others
  try {
    victim = await startVictim(attack.server)
    await warmUp(victim)
    const before = await takeBaseline(victim)
    if (whereOthersCall(victim) !== undefined)
      others = await startBystanders(whereOthersCall(victim), attack.server.caller)
    await sleep(short ? 1500 : 3000)
    const quiet = await others?.lap()
    await victim.ask('reset')
    standBack()
    row.refusals = await goOn(victim, row)
    const busy = await others?.lap()
    others?.stop()
    row.failed.push(...complaints(row.refusals), ...turnedAway(busy))
    await settle(victim, before, row)
    row.p99 = [quiet?.p99, busy?.p99]
  } catch (error) {
    row.failed.push(victim?.alive() === false ? `the server died (${error.message})` : error.message)
  } finally {
    others?.stop()
    await victim?.stop()
  }
  return row
}

/** A pipe has room for one alone. */
function whereOthersCall({ url }) {
  return url ?? attack.server.path
}

/** Whether the attack itself knows how to call. */
function warmsUpAlone() {
  return attack.server.transport !== undefined
}

/** What is loaded or compiled with the first calls is not the attack's. */
async function warmUp(victim) {
  const { server } = attack
  if (warmsUpAlone()) return attack.warmUp?.(victim)
  const client = createClient(victim.url, { sockets: 16, headers: server.caller })
  await many(400, 8, (round) => client.tool('add', { a: round, b: 1 }))
  await many(100, 8, async () => {
    const session = await client.openSession()
    await session.call('ping')
    await session.end()
  })
  await many(50, 8, () => client.tool('there is no such tool'))
  client.close()
}

/** What the attack's own warm-up leaves has to be gone again, or what the attack leaves would not show beside it. */
async function takeBaseline(victim) {
  const fresh = await victim.ask('look')
  if (attack.warmUp === undefined || warmsUpAlone()) return fresh
  await attack.warmUp(victim)
  const { look, growth } = await comeBack(victim, fresh)
  if (growth > MAX_GROWTH) throw new Error(`the warm-up keeps ${growth.toFixed(2)} times the heap of before`)
  return look
}

/** Where there is no such thing as work that nobody waits for, the least priority has to do. */
function standBack() {
  const { status } = spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', `${process.pid}`])
  if (status !== 0) setPriority(19)
}

/** Attacks, again and again; gives what it was told when it was refused. */
async function goOn(victim, row) {
  const refusals = new Set()
  const until = Date.now() + (short ? 0 : ATTACK_MS)
  do {
    const told = await attack.attack(victim, { short })
    for (const one of told?.refusals ?? []) refusals.add(one)
    row.failed.push(...(told?.failed ?? []))
  } while (victim.alive() && row.failed.length === 0 && Date.now() < until)
  return [...refusals]
}

async function settle(victim, before, row) {
  if (!victim.alive()) return row.failed.push('the server died')
  const { first, growth } = await comeBack(victim, before)
  Object.assign(row, { loop: first.loop, rss: first.rss, growth })
  if (growth > MAX_GROWTH) row.failed.push(`it keeps ${growth.toFixed(2)} times the heap it had before`)
}

/** Looks until the heap is back where it was, or for long enough. */
async function comeBack(victim, before) {
  const until = Date.now() + (attack.settleMs ?? SETTLE_MS)
  const first = await victim.ask('look')
  for (let look = first; ; look = await victim.ask('look')) {
    const growth = look.heap / before.heap
    if (growth <= MAX_GROWTH || Date.now() > until) return { first, look, growth }
    await sleep(500)
  }
}

/** A refusal says in words what was wrong; an attack that is never refused must say that it expects so. */
function complaints(refusals) {
  if (attack.refused !== false && refusals.length === 0) return ['nothing was refused']
  const mute = refusals.find((text) => typeof text !== 'string' || !/[a-z]{3,} [a-z]/i.test(text))
  return mute === undefined ? [] : [`a refusal says too little: ${JSON.stringify(mute)}`]
}

function turnedAway({ failures = [] } = {}) {
  if (failures.length === 0) return []
  return [`well-behaved callers were turned away ${failures.length} times: ${failures[0]}`]
}
