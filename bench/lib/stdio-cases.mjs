import { callTool, measure, pause, readMemory, StdioClient, warmUp } from '../../dist/bench/index.js'

export const ECHO = callTool('echo', { message: 'hello, world 0123456789' })
const BIG_KIB = 512
const BIG = callTool('echo', { message: 'x'.repeat(BIG_KIB * 1024) })
const LIST = { method: 'tools/list', params: {} }
const LIST_WARM_UP = { calls: 300, seconds: 0.5 }
const NOTICES = 500
const NOTIFY = callTool('notify', { count: NOTICES })

export const startStdio = ({ args, revision }, env = {}) =>
  new StdioClient({ command: [process.execPath, ...args], revision, env })

/** Whoever answers wrongly is left out, and the report says why. */
export async function checkStdio(entries, samples) {
  const fit = []
  for (const entry of entries) {
    const client = startStdio(entry)
    try {
      await client.open()
      fit.push({ ...entry, ...(await checkAnswers((asked) => client.ask(asked), entry, samples)) })
      fit.at(-1).notices = await sendsNotices(client)
    } catch (error) {
      samples.note(`${entry.name} (stdio, ${entry.revision.id}) was left out: ${error.message}`)
    }
    await client.close()
  }
  return fit
}

export async function checkAnswers(ask, { name, revision }, samples) {
  const echoed = await ask(callTool('echo', { message: 'é"\\' }))
  const added = await ask(callTool('add', { a: 2, b: 40 }))
  if (echoed.content?.[0]?.text !== 'é"\\' || added.content?.[0]?.text !== '42')
    throw new Error('it answers wrongly')
  const refused = await ask(callTool('add', { a: 'x' })).then(
    (result) => result.isError === true,
    () => true,
  )
  if (!refused && name !== 'raw') samples.note(`${name} (${revision.id}) does not check arguments`)
}

async function sendsNotices(client) {
  const heard = await Promise.race([client.exchange(callTool('notify', { count: 3 }), 4), pause(2000)])
  return heard?.length === 4
}

/** So long each has run once before its starts are measured, as on every machine where it was started yesterday. */
const FIRST_RUN_MS = 2000

/** Cold start: from starting the process to its first answer. The very first, with nothing kept, is not among them. */
export async function coldStarts(entries, { samples, plan, progress }) {
  const first = entries.filter(({ era }) => era === 'handshake')
  for (const entry of first) {
    const client = startStdio(entry)
    await client.open()
    await pause(FIRST_RUN_MS)
    await client.close()
  }
  for (let round = 0; round < plan.colds; round++) {
    for (const entry of first) {
      progress.step('stdio: cold start')
      const began = performance.now()
      const client = startStdio(entry)
      await client.open()
      samples.add('stdio.cold', entry, round, performance.now() - began)
      await client.close()
    }
  }
}

const SLICES = {
  'stdio.latency': { load: (client) => client.flood({ asked: ECHO, window: 1 }), value: ({ p50 }) => p50 },
  'stdio.pipelined': {
    load: (client) => client.flood({ asked: ECHO, window: 256 }),
    value: ({ rate }) => rate,
  },
  'stdio.big': {
    load: (client) => client.flood({ asked: BIG, window: 4, printed: 8 }),
    value: ({ rate }) => (rate * BIG_KIB) / 1024,
  },
  'stdio.notices': {
    load: (client) => client.flood({ asked: NOTIFY, window: 2 }),
    value: ({ rate }) => rate * NOTICES,
    wants: ({ notices }) => notices,
  },
}

/** All processes are alive at once and take turns, slice by slice. */
export async function stdioLoads(entries, context) {
  const { plan } = context
  for (let round = 0; round < plan.rounds; round++) {
    const live = await startAll(entries, {}, { asked: ECHO, window: 256 }, context)
    for (const id of plan.slices) await takeTurns(id, live, round, context)
    await closeAll(live)
  }
}

async function takeTurns(id, live, round, { samples, plan, progress }) {
  const { load, value, wants = () => true } = SLICES[id]
  for (let cycle = 0; cycle < plan.cycles; cycle++) {
    for (const { entry, client } of live.filter((one) => wants(one.entry))) {
      progress.step(`stdio: ${id.slice(6)}`)
      const slice = await measure(load(client), { pid: client.pid, seconds: plan.seconds })
      const turn = round * 100 + cycle
      samples.add(id, entry, turn, value(slice), slice.generator)
      if (slice.failed > 0) samples.note(`${entry.name} (stdio, ${entry.era}) failed in ${id}`)
      if (id !== 'stdio.pipelined') continue
      samples.add('stdio.cpu', entry, turn, slice.cpu)
      samples.add('stdio.rss', entry, turn, readMemory(client.pid))
    }
  }
}

/** 1000 tools listed, one question after the other. */
export async function stdioLists(entries, context) {
  const { samples, plan, progress } = context
  for (let round = 0; round < plan.rounds; round++) {
    const live = await startAll(
      entries,
      { BENCH_TOOLS: '1000' },
      { asked: LIST, window: 1 },
      {
        ...context,
        plan: { ...plan, warmUp: LIST_WARM_UP },
      },
    )
    for (let cycle = 0; cycle < plan.cycles; cycle++) {
      for (const { entry, client } of live) {
        progress.step('stdio: list of 1000 tools')
        const load = client.flood({ asked: LIST, window: 1 })
        const slice = await measure(load, { pid: client.pid, seconds: plan.seconds, atLeast: 5 })
        samples.add('stdio.list', entry, round * 100 + cycle, slice.p50 / 1000, slice.generator)
      }
    }
    await closeAll(live)
  }
}

async function startAll(entries, env, flood, { plan, progress }) {
  const live = []
  for (const entry of entries) {
    progress.step('stdio: starting')
    const client = startStdio(entry, env)
    await client.open()
    await warmUp(client.flood(flood), plan.warmUp)
    live.push({ entry, client })
  }
  return live
}

const closeAll = (live) => Promise.all(live.map(({ client }) => client.close()))

/** How many steps the progress bar has for it. */
export function countStdioSteps(entries, { colds, rounds, cycles, slices }) {
  const all = entries.length
  const old = entries.filter(({ era }) => era === 'handshake').length
  const taking = slices.map((id) => entries.filter(SLICES[id].wants ?? (() => true)).length)
  const turns = taking.reduce((sum, count) => sum + count, all) // And the list of tools.
  return colds * old + rounds * (2 * all + cycles * turns)
}
