import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callTool, median, printNumber, printTable } from '../../dist/bench/index.js'
import { connect } from '../../dist/client/index.js'
import { openSide, takeTurns } from './beside.mjs'
import { printPromises } from './report.mjs'
import { CASES } from './task-cases.mjs'
import { createSides } from './task-sides.mjs'

/** So many things are there before turns are taken. */
const THERE = 2000

/** bossman beside the official server that keeps things: the same cases, then turns at adding one and finding one. */
export async function benchTasks({ quick }) {
  const sides = await createSides()
  const cases = []
  console.error('the cases …')
  for (const side of sides) cases.push(await inFolder((folder) => tryCases(side, folder)))
  console.error('adding and finding, in turns …')
  const plan = quick ? { cycles: 3, seconds: 0.3 } : { cycles: 9, seconds: 0.5 }
  const speed = await inFolder((folder) => race(sides, folder, { ...plan, warmUpCalls: 500 }))
  return report(sides, cases, speed)
}

async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-tasks-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const check = ({ isError, structuredContent, content }) => {
  if (isError) throw new Error(content[0]?.text)
  return structuredContent
}

async function open(side, folder) {
  const [command, ...args] = side.command(folder)
  const client = await connect({ command, args, env: { ...process.env, ...side.env(folder) } })
  return { client, verbs: side.verbs(async (tool, given) => check(await client.callTool(tool, given))) }
}

async function tryCases(side, folder) {
  const { client, verbs } = await open(side, folder)
  const rows = []
  for (const list of Object.values(CASES))
    for (const [what, needed, holds] of list) {
      const isThere = needed.every((verb) => verbs[verb] !== undefined)
      rows.push({ what, state: isThere ? await look(() => holds(verbs, client)) : 'none' })
    }
  await client.close()
  for (const [what, holds] of Object.entries(PROCESSES))
    rows.push({ what, state: await look(() => inFolder((own) => holds(side, own))) })
  return rows
}

async function look(holds) {
  try {
    return (await holds()) ? 'yes' : 'no'
  } catch {
    return 'no'
  }
}

/** Cases that take more than one process. */
const PROCESSES = {
  'of 100 that two processes write at once all are kept': async (side, folder) => {
    const both = [await open(side, folder), await open(side, folder)]
    const texts = Array.from({ length: 50 }, (_, n) => `both${n}end`)
    await Promise.all(
      both.map(async ({ verbs }, who) => {
        for (const text of texts) await verbs.keep(`${text} ${who}`)
      }),
    )
    const kept = await countFound(both[0].verbs, texts)
    for (const { client } of both) await client.close()
    return kept >= 100
  },
  'killed five times while it writes, it has lost nothing that it acknowledged': async (side, folder) => {
    const acknowledged = []
    for (let round = 0; round < 5; round++) await writeUntilKilled(side, folder, acknowledged)
    const { client, verbs } = await open(side, folder)
    const kept = await countFound(verbs, acknowledged)
    await client.close()
    return acknowledged.length > 0 && kept >= acknowledged.length
  },
}

async function writeUntilKilled(side, folder, acknowledged) {
  const client = await openSide({ command: side.command(folder), env: side.env(folder) })
  const verbs = side.verbs(async (tool, given) => check(await client.ask(callTool(tool, given))))
  const kill = sleep(100 + Math.random() * 300).then(() => process.kill(client.pid, 'SIGKILL'))
  try {
    for (;;) {
      const text = `kept${acknowledged.length}end`
      await verbs.keep(text)
      acknowledged.push(text)
    }
  } catch {
    await kill // It is gone.
  }
}

async function countFound(verbs, texts) {
  let count = 0
  for (const text of texts) count += (await verbs.find(`${text}`)).length
  return count
}

/** Where there are many already, which stay as many but for what is added. */
async function race(sides, base, plan) {
  const ready = []
  for (const side of sides) {
    const folder = mkdtempSync(join(base, 'side-'))
    const { client, verbs } = await open(side, folder)
    for (let n = 0; n < THERE; n++) await verbs.keep(`thing number${n} of many`)
    await client.close()
    const asked = Object.entries(side.requests).map(([what, [tool, args]]) => [what, callTool(tool, args)])
    ready.push({
      name: side.name,
      command: side.command(folder),
      env: side.env(folder),
      asked: Object.fromEntries(asked),
    })
  }
  return takeTurns(ready, plan)
}

const STATES = { yes: 'yes', no: 'no', none: '–' }

function report(sides, cases, speed) {
  const names = sides.map(({ name }) => name)
  const [ours, theirs] = cases
  console.log(
    printTable(
      ['case', ...names],
      ours.map(({ what, state }, at) => [what, STATES[state], STATES[theirs[at].state]]),
    ),
  )
  const count = (rows) => rows.filter(({ state }) => state === 'yes').length
  console.log(`\n${count(ours)} and ${count(theirs)} of ${ours.length} cases\n`)
  const row = ({ name, idle, used, asked: { add, find } }) => [
    name,
    ...[add, find].flatMap(({ p50, rates }) => [`${p50.toFixed(0)} µs`, printNumber(median(rates))]),
    `${idle.toFixed(0)} MiB`,
    `${used.toFixed(0)} MiB`,
    printNumber(add.failed + find.failed),
  ]
  console.log(
    printTable(
      [
        '',
        'adds one, p50',
        '16 at once, calls/s',
        'finds one, p50',
        '16 at once, calls/s',
        'memory idle',
        'after',
        'failed',
      ],
      speed.map(row),
    ),
  )
  const times = (what) =>
    median(speed[0].asked[what].rates.map((rate, at) => rate / speed[1].asked[what].rates[at]))
  const promise = (text, shown, isKept) => ({ text, shown, state: isKept ? 'kept' : 'not kept' })
  const kept = [
    ...['add', 'find'].map((what) =>
      promise(`at least its rate (${what})`, `${times(what).toFixed(1)} ×`, times(what) >= 1),
    ),
    promise('more cases than it', `${count(ours)} and ${count(theirs)}`, count(ours) > count(theirs)),
  ]
  console.log(`\n${printPromises(kept)}`)
  return kept
}
