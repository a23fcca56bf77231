import { callTool, median, pause, readMemory } from '../../dist/bench/index.js'
import { HttpProcess } from './http-process.mjs'
import { ECHO, startStdio } from './stdio-cases.mjs'

/** Who needs more than this for a session is not asked for 10,000 of them. */
const MAX_KIB = 30
const WARM_UP_SESSIONS = 300
const SETTLE_MS = 300

/** What a session that nobody uses costs, after a collection. */
export async function sessionMemory(entries, { samples, plan, progress }) {
  for (const entry of keepers(entries, plan)) {
    const server = await HttpProcess.start(entry, { probe: true })
    try {
      await server.openSessions(WARM_UP_SESSIONS)
      await pause(SETTLE_MS)
      const base = await server.memory()
      let [open, resident] = [0, Number.NaN]
      for (const count of plan.sessions) {
        progress.step(`HTTP: ${count} sessions`)
        if (open > 0 && samples.value(`sessions.${open}`, entry.name) > MAX_KIB) continue
        await server.openSessions(count - open)
        open = count
        await pause(SETTLE_MS)
        const now = await server.memory()
        samples.add(`sessions.${count}`, entry, 0, (now.kept - base.kept) / count)
        resident = (now.rss - base.rss) / count
      }
      samples.add('sessions.rss', entry, 0, resident)
    } catch (error) {
      samples.note(`${entry.name}: sessions could not be measured: ${error.message}`)
    }
    await server.stop()
  }
}

/** Those that keep sessions; the limit keeps none. */
const keepers = (entries, { keepers: names }) =>
  entries.filter(
    ({ name, era, sessions }) =>
      era === 'handshake' && sessions && name !== 'raw' && (names?.includes(name) ?? true),
  )

/** Those that can tell every session of a change. */
const tellers = (entries, { announcements }) =>
  entries.filter(({ name, era }) => announcements > 0 && era === 'handshake' && name !== 'mcp-lite')

const STREAMS = 1000
const ANNOUNCE = callTool('announce', {})

/** Open streams: what one costs, and how soon each has had a notice. All are open, and those who tell take turns. */
export async function streamNotices(entries, { samples, plan, progress }) {
  const audiences = new Set(tellers(entries, plan).map((entry) => new Audience(entry)))
  const all = [...audiences]
  const each = async (id, round, measure) => {
    for (const audience of audiences) {
      try {
        samples.add(id, audience.entry, round, await measure(audience))
      } catch (error) {
        samples.note(`${audience.entry.name}: no notice to ${STREAMS} streams: ${error.message}`)
        audiences.delete(audience)
      }
    }
  }
  try {
    await each('streams.memory', 0, (audience) => {
      progress.step(`HTTP: ${STREAMS} streams`)
      return audience.gather()
    })
    for (let round = 0; round < plan.announcements; round++) {
      await each('streams.notices', round, (audience) => audience.tell())
    }
  } finally {
    for (const audience of all) await audience.leave()
  }
}

/** A server, and a thousand who listen to it. */
class Audience {
  #server
  #streams = []
  #heard = new Heard(STREAMS)
  #connection
  #caller

  constructor(entry) {
    this.entry = entry
  }

  /** What a stream costs, in KiB. */
  async gather() {
    this.#server = await HttpProcess.start(this.entry, { probe: true })
    const { client } = this.#server
    this.#connection = client.connect()
    this.#caller = await client.openSession(this.#connection)
    await client.ask(this.#connection, ANNOUNCE, this.#caller)
    const sessions = await this.#server.openSessions(STREAMS)
    const before = await this.#server.memory()
    for (const session of sessions) this.#streams.push(await client.openStream(session, this.#heard.take))
    await pause(SETTLE_MS)
    const after = await this.#server.memory()
    return (after.kept - before.kept) / STREAMS
  }

  /** How many a second have heard of it. */
  async tell() {
    const all = this.#heard.all()
    const began = performance.now()
    await this.#server.client.ask(this.#connection, ANNOUNCE, this.#caller)
    await Promise.race([all, late()])
    return STREAMS / ((performance.now() - began) / 1000)
  }

  async leave() {
    for (const stream of this.#streams) stream.close()
    await this.#server?.stop()
  }
}

async function late() {
  await pause(5000)
  throw new Error('not all have heard of it in 5 s')
}

/** Counts the notices of a change that came, on whichever stream. */
class Heard {
  #count = 0
  #wanted
  #resolve

  constructor(wanted) {
    this.#wanted = wanted
  }

  take = (bytes) => {
    if (!bytes.includes('list_changed')) return
    if (++this.#count === this.#wanted) this.#resolve?.()
  }

  all() {
    this.#count = 0
    return new Promise((resolve) => {
      this.#resolve = resolve
    })
  }
}

const CALLS = 1_000_000
const EVERY = 50_000

/** The resident memory while a million calls are made: of its last quarter and of its second, in MiB. */
export async function memoryOverCalls(entries, { samples, plan, progress }) {
  const flat = {}
  for (const entry of entries.filter(({ name, era }) => era === 'handshake' && plan.flat.includes(name))) {
    progress.step(`stdio: a million calls, ${entry.name}`)
    const client = startStdio(entry)
    await client.open()
    const load = client.flood({ asked: ECHO, window: 256 })
    const sizes = []
    for (
      const end = performance.now() + 60_000;
      load.answered < CALLS && performance.now() < end;
      await pause(5)
    )
      if (load.answered >= sizes.length * EVERY) sizes.push(readMemory(client.pid))
    await load.stop()
    await client.close()
    if (load.answered < CALLS)
      samples.note(`${entry.name}: made ${load.answered} of ${CALLS} calls in a minute`)
    const quarter = Math.floor(sizes.length / 4)
    flat[entry.name] = {
      calls: load.answered,
      early: median(sizes.slice(quarter, 2 * quarter)),
      late: median(sizes.slice(3 * quarter)),
    }
  }
  return flat
}

export function countMemorySteps(entries, plan) {
  const { sessions, flat } = plan
  return keepers(entries, plan).length * sessions.length + tellers(entries, plan).length + flat.length
}
