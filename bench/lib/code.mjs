// What scripts cost: ten calls in a script beside ten plain calls, a machine in a running thread, what a hostile script
// does to the server's loop, and what a thousand leave behind.
import { readFileSync } from 'node:fs'
import { createTestClient, defineServer } from '../../dist/index.js'
import { ESCAPES } from '../../test/context/escapes.mjs'

const echo = {
  name: 'echo',
  input: { type: 'object', properties: { n: { type: 'integer' } } },
  run: ({ n }) => `${n}`,
}
const TEN = 'let last; for (let n = 0; n < 10; n++) last = await tools.echo({ n }); return last'

export async function benchCode({ quick }) {
  const costs = await measureCalls(quick ? 60 : 300)
  const held = await measureEscapes()
  const memory = await measureMemory(quick ? 300 : 1000)
  const promises = [
    promise('ten calls in a script, over ten plain calls, p50', costs.over, 15, 'ms'),
    promise('a machine in a running thread: run({ code: "return 1" }), p50', costs.one, 40, 'ms'),
    promise('the longest that a hostile script held the loop, over an idle one', held.over, 50, 'ms'),
    promise(
      `memory after ${memory.count} scripts, of what it was after a tenth of them`,
      memory.ratio,
      1.2,
      '×',
    ),
    promise(
      'memory after five times 100 scripts at once, of what it was after the first',
      memory.crowded,
      1.2,
      '×',
    ),
  ]
  console.table(promises.map(({ what, measured, goal, state }) => ({ what, measured, goal, state })))
  console.log({ costs, held, memory })
  return promises
}

function promise(what, measured, goal, unit) {
  const rounded = Math.round(measured * 100) / 100
  return {
    what,
    measured: `${rounded} ${unit}`,
    goal: `<= ${goal} ${unit}`,
    state: measured <= goal ? 'kept' : 'not kept',
  }
}

async function open(more = {}) {
  const server = defineServer({
    name: 'bench',
    version: '1',
    offer: 'code',
    tools: [echo],
    reports: true,
    ...more,
  })
  const client = await createTestClient(server)
  const run = async (code) => (await client.callTool('run', { code })).content[0].text
  const close = async () => {
    client.close()
    await server.close()
  }
  return { client, run, close }
}

/** Both take turns, so that what the machine does besides is the same for both. */
async function measureCalls(rounds) {
  const scripts = await open()
  const plain = await open({ offer: 'all' })
  const times = { script: [], plain: [], one: [] }
  const timed = async (list, act) => {
    const began = performance.now()
    await act()
    list.push(performance.now() - began)
  }
  const callTen = async () => {
    for (let n = 0; n < 10; n++) await plain.client.callTool('echo', { n })
  }
  for (let round = 0; round < rounds; round++) {
    await timed(times.script, () => scripts.run(TEN))
    await timed(times.plain, callTen)
    await timed(times.one, () => scripts.run('return 1'))
  }
  await Promise.all([scripts.close(), plain.close()])
  const [script, ten, one] = [times.script, times.plain, times.one].map(median)
  return { script, plain: ten, one, over: script - ten }
}

async function measureEscapes() {
  const budgets = { maxScriptMs: 300, maxScriptMemoryBytes: 16_000_000 }
  const { run, close } = await open({ budgets })
  const idle = await longestHeld(() => new Promise((resolve) => setTimeout(resolve, 2000)))
  const each = {}
  for (const [name, code] of Object.entries(ESCAPES)) each[name] = await longestHeld(() => run(code))
  await close()
  const [worst, longest] = Object.entries(each).sort(([, a], [, b]) => b - a)[0]
  return { idle, worst, longest, over: Math.max(0, longest - idle) }
}

/** The most that the loop's own thread has worked between two turns; what others take of the processor is not its fault. */
async function longestHeld(act) {
  let [last, longest] = [cpuMs(), 0]
  const turn = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const turns = setInterval(turn, 1)
  await act()
  turn()
  clearInterval(turns)
  return longest
}

/** Of this thread alone, where Linux tells; elsewhere the clock has to do. */
function cpuMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

async function measureMemory(count) {
  const { run, close } = await open()
  const rss = () => process.memoryUsage.rss() / 2 ** 20
  for (let n = 0; n < count / 10; n++) await run(TEN)
  const before = rss()
  for (let n = count / 10; n < count; n++) await run(TEN)
  const after = rss()
  const crowds = []
  for (let n = 0; n < 5; n++) {
    await Promise.all(Array.from({ length: 100 }, () => run(TEN)))
    crowds.push(rss())
  }
  await close()
  return { count, before, after, crowds, ratio: after / before, crowded: crowds[4] / crowds[0] }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}
