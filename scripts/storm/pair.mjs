import { roomUri } from './rooms.mjs'
import { exchange, parseJson, SURELY, sleep } from './wire.mjs'

/** A client of 2024-11-05: it hears on one connection and speaks on others. When the first breaks, the session is over. */
export class Pair {
  revision = '2024-11-05'
  hearing
  #storm
  #key
  #path
  #stream
  #streamLife
  #lastId = 0
  #pending = new Map()
  #open = false
  #left = false

  constructor(storm, _revision, key) {
    this.#storm = storm
    this.#key = key
  }

  get isOpen() {
    return this.#open
  }

  get #headers() {
    return { 'content-type': 'application/json', authorization: `Bearer ${this.#key}` }
  }

  async open() {
    const { ledger } = this.#storm
    const op = ledger.begin('open', this.revision)
    let answered
    const endpoint = new Promise((resolve) => (answered = resolve))
    const onEvent = ({ event, data }) => (event === 'endpoint' ? answered(data) : this.#take(parseJson(data)))
    const headers = { ...this.#headers, accept: 'text/event-stream' }
    const onHead = ({ life }) => (this.#streamLife = life)
    const running = exchange(this.#storm.balancer, { method: 'GET', path: '/sse', headers, onEvent, onHead })
    this.#stream = running
    const over = running.over.then((answer) => this.#broke(answer))
    const path = await Promise.race([endpoint, over])
    if (path === undefined) {
      op.ran(this.#streamLife)
      return op.fail('the stream ended before it had begun')
    }
    this.#path = path
    this.#open = true
    op.settle('answered')
    const clientInfo = { name: 'storm', version: '1' }
    const capabilities = this.#storm.capabilities(this.revision)
    const params = { protocolVersion: this.revision, capabilities, clientInfo }
    const initialized = await this.call('open', 'initialize', params)
    if (initialized.outcome !== 'answered') return this.leave()
    await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }

  /** The broken connection is the one error of every call that it has not answered yet. */
  #broke({ life, status, text }) {
    this.#streamLife = life
    this.#open = false
    this.hearing?.broke()
    for (const { op } of this.#pending.values()) {
      op.ran(life)
      if (this.#left) op.settle('cancelled')
      else if (op.outcome === undefined)
        op.fail(`the stream broke ${status === 200 ? '' : `${status} ${text}`}`)
    }
    return undefined
  }

  async #post(message) {
    const body = JSON.stringify(message)
    return exchange(this.#storm.balancer, { path: this.#path, headers: this.#headers, body }).over
  }

  async call(kind, method, params, options = {}) {
    const id = ++this.#lastId
    const op = this.#storm.ledger.begin(kind, this.revision, options.ownMs)
    op.word = options.word
    op.ran(this.#streamLife)
    const token = `p${id}`
    const pending = { op, token, events: 0, cancelAfter: options.cancelAfter }
    this.#pending.set(id, pending)
    const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: { progressToken: token } } }
    void this.#post(message).then((answer) => this.#posted(pending, answer))
    await op.done
    setTimeout(() => this.#pending.delete(id), 5000).unref()
    return op
  }

  #posted({ op }, { status, text, life }) {
    op.ran(life)
    op.lastSeen = `posted: ${status} (${life?.name})`
    if (op.outcome !== undefined || (status >= 200 && status < 300)) return
    if (!this.#open) return op.fail('the stream broke')
    op.abandoned = true // Whether it runs nobody knows; its client has been told that it does not.
    op.fail(`the POST of it: ${status} ${text.slice(0, 160)}`)
  }

  #take(message) {
    if (message === undefined) return
    const { id, method, params } = message
    if (method === undefined) {
      const { op, cancelled } = this.#pending.get(id) ?? {}
      if (cancelled) return op.settle('uncancelled', JSON.stringify(message).slice(0, 200))
      return op?.reply(message)
    }
    if (id !== undefined) return void this.#answer(message)
    if (method === 'notifications/progress') return this.#progress(params)
    this.hearing?.tell(message)
  }

  #progress({ progressToken, progress }) {
    const found = [...this.#pending].find(([, { token }]) => token === progressToken)
    if (found === undefined) return
    const [id, pending] = found
    pending.op.step(progress)
    if (++pending.events === pending.cancelAfter) void this.#cancel(id, pending)
  }

  /** Nothing tells a client of 2024 that its call was cancelled but that no answer comes. */
  async #cancel(requestId, pending) {
    pending.cancelled = true
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }
    await this.#sendSurely(message)
    await sleep(3000)
    pending.op.settle('cancelled')
  }

  /** An engine that is away is waited for: the call that asks would wait for its answer for ever. */
  async #sendSurely(message) {
    for (let tries = 0; tries < SURELY && this.#open; tries++) {
      const { status } = await this.#post(message)
      if (status >= 200 && status < 300) return
      await sleep(status === 503 ? 500 : 100)
    }
  }

  async #answer({ id, method }) {
    this.#storm.ledger.count('questions')
    const asking = [...this.#pending.values()].find(
      ({ op }) => op.word !== undefined && op.outcome === undefined,
    )
    await this.#sendSurely({ jsonrpc: '2.0', id, result: this.#storm.answerTo(method, asking?.op.word) })
  }

  async hear(room) {
    this.hearing = this.#storm.hearing({ revision: this.revision, room })
    const op = await this.call('subscribe', 'resources/subscribe', { uri: roomUri(room) })
    if (op.outcome === 'answered' && this.#open) this.hearing.opened()
  }

  async end() {
    this.leave()
  }

  leave() {
    this.#left = true
    this.#open = false
    this.hearing?.broke()
    this.#stream?.cut()
  }
}
