import { actsOf } from './acts.mjs'
import { startBalancer } from './balancer.mjs'
import { Changes, HEARD_MS, Hearing } from './hearing.mjs'
import { Ledger } from './ledger.mjs'
import { startNodes } from './nodes.mjs'
import { Pair } from './pair.mjs'
import { ROOMS, roomUri } from './rooms.mjs'
import { Session } from './session.mjs'
import { Stateless } from './stateless.mjs'
import { sleep } from './wire.mjs'

/** How each revision is spoken. */
const CLIENTS = {
  '2024-11-05': Pair,
  '2025-03-26': Session,
  '2025-06-18': Session,
  '2025-11-25': Session,
  '2026-07-28': Stateless,
}

export const KEYS = { ann: 'a-key-of-ann', bob: 'a-key-of-bob' }

/** A node that was killed stays away this long. */
const DEAD_MS = 1000

/** Everything that belongs to one run: who plays, what is told, what is killed. */
export class Storm {
  ledger = new Ledger()
  changes = new Changes()
  hearings = []
  kills = []
  /** What nodes said that ended by themselves. */
  crashes = []
  over = false
  nodes
  balancer
  #options
  #tokens = 0
  #clients = new Set()

  constructor(options) {
    this.#options = options
  }

  token() {
    return `t${++this.#tokens}`
  }

  hearing(options) {
    const hearing = new Hearing(options)
    this.hearings.push(hearing)
    return hearing
  }

  /** Whether a call that was cancelled ends without its stream ending. */
  get silentCancel() {
    return this.#options.contender.silentCancel === true
  }

  killsSince(time) {
    return this.kills.filter(({ at }) => at >= time - 6000).length
  }

  capabilities(revision) {
    if (revision === '2026-07-28')
      return { elicitation: { form: {} }, sampling: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } }
    return revision < '2025-06-18' ? { sampling: {} } : { sampling: {}, elicitation: {} }
  }

  answerTo(method, word = 'nothing') {
    if (method === 'elicitation/create') return { action: 'accept', content: { word } }
    return { role: 'assistant', model: 'storm', content: { type: 'text', text: word } }
  }

  /** Runs to its end, and gives itself back to be reported. */
  async run() {
    const { engine, sessions, seconds, contender, outageMs } = this.#options
    this.nodes = []
    this.balancer = await startBalancer(this.nodes)
    const command = (node) => contender.command({ ...node, engine, balancer: this.balancer.port })
    this.nodes.push(...(await startNodes(engine.nodes, command)))
    this.begun = Date.now()
    const sweeping = setInterval(() => this.#look(), 500)
    try {
      const lives = Array.from({ length: sessions }, (_, number) => this.#live(number))
      const herald = this.#herald()
      await this.#kill(seconds)
      if (engine.halt !== undefined && contender.outage && outageMs > 0) await this.#outage()
      this.ended = Date.now()
      this.over = true
      // What was changed last must still be heard.
      await Promise.all([...lives, herald, sleep(HEARD_MS)])
      for (const client of this.#clients) client.leave()
      this.owed = this.changes.judge(this.ledger, this.hearings)
    } finally {
      clearInterval(sweeping)
      await this.balancer.stop()
      await Promise.all(this.nodes.map((node) => node.kill()))
    }
    return this
  }

  /** Gives up on what waits too long, and starts nodes again that ended by themselves. */
  #look() {
    this.ledger.sweep()
    for (const node of this.nodes) {
      if (node.life.crashed === undefined || node.life.seen) continue
      node.life.seen = true
      this.crashes.push(`${node.life.name}: ${node.errors.slice(-1500)}`)
      void node.start().catch((error) => this.crashes.push(String(error)))
    }
  }

  /** One player: opens a session, does this and that in it, ends it now and then, and opens another. */
  async #live(number) {
    const { revisions = Object.keys(CLIENTS), acts: offered, rooms } = this.#options.contender
    const revision = revisions[number % revisions.length]
    const key = Object.values(KEYS)[number % 2]
    const acts = actsOf(revision, offered)
    await sleep(Math.random() * 2000) // They do not all come at once.
    while (!this.over) {
      const client = new CLIENTS[revision](this, revision, key)
      await client.open()
      if (!client.isOpen) {
        await sleep(300)
        continue
      }
      this.#clients.add(client)
      await client.hear(rooms === false ? undefined : number % ROOMS)
      await this.#play(client, acts)
      if (this.over) return
      this.#clients.delete(client)
    }
  }

  async #play(client, acts) {
    const { pauseMs, endEvery } = this.#options
    while (!this.over && client.isOpen) {
      await acts[Math.floor(Math.random() * acts.length)].run({ client, storm: this })
      if (!this.over && Math.random() < 1 / endEvery) return client.end()
      if (!this.over) await sleep(pauseMs * (0.5 + Math.random()))
    }
    if (!client.isOpen) client.leave()
  }

  /** Says now and then that something has changed, on whichever node. */
  async #herald() {
    const { contender } = this.#options
    if (contender.acts !== undefined && !contender.acts.includes('touch')) return
    const client = new Stateless(this, '2026-07-28', KEYS.ann)
    await sleep(3000)
    for (let turn = 0; !this.over; turn++) {
      const flips = turn % (ROOMS + 1) === ROOMS
      const uri = flips ? undefined : roomUri(turn % (ROOMS + 1))
      const [name, args] = flips ? ['flip', {}] : ['touch', { uri }]
      const params = { name, arguments: { token: this.token(), ...args } }
      const op = await client.call(name, 'tools/call', params)
      this.changes.made(uri, op)
      await sleep(900)
    }
  }

  /** Kills a node every so often, and starts it again. */
  async #kill(seconds) {
    const { engine, killEveryMs } = this.#options
    const end = Date.now() + seconds * 1000
    let next = Date.now() + killEveryMs
    for (let turn = 0; Date.now() < end; turn++) {
      await sleep(Math.min(next, end) - Date.now())
      next = Math.max(next + killEveryMs, Date.now() + DEAD_MS)
      if (engine.nodes === 1 || Date.now() >= end) continue
      const node = this.nodes[turn % this.nodes.length]
      this.kills.push({ at: Date.now(), node: node.name })
      await node.kill()
      await sleep(DEAD_MS)
      await node.start()
    }
  }

  /** The engine itself goes away and comes back. */
  async #outage() {
    const { engine, outageMs } = this.#options
    const watch = this.#watchReady()
    const outage = { from: Date.now(), until: undefined }
    this.ledger.outages.push(outage)
    await engine.halt()
    await sleep(outageMs)
    await engine.start()
    outage.until = Date.now()
    await sleep(outageMs)
    watch.stop()
    this.ready = watch.seen
  }

  /** What every node says of itself meanwhile. */
  #watchReady() {
    const seen = []
    const ask = async (node, path) => {
      const url = `http://127.0.0.1:${node.port}${path}`
      const { status } = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => ({ status: 0 }))
      seen.push({ at: Date.now(), node: node.name, path, status })
    }
    const look = () => {
      for (const node of this.nodes) for (const path of ['/readyz', '/healthz']) void ask(node, path)
    }
    const timer = setInterval(look, 250)
    return { seen, stop: () => clearInterval(timer) }
  }
}
