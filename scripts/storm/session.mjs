import { roomUri } from './rooms.mjs'
import { exchange, parseJson, SURELY, sleep } from './wire.mjs'

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** What to come back after: an engine that is away, or a connection that is not known to be broken yet. */
const AGAIN = new Set([409, 503])

/** A client of 2025-03-26 to 2025-11-25: a session whose streams are resumed wherever they can be. */
export class Session {
  revision
  hearing
  #storm
  #key
  #id
  #lastId = 0
  #pending = new Map()
  #open = false
  #hearingStream
  #subscribed = false
  #ended = false

  constructor(storm, revision, key) {
    this.#storm = storm
    this.revision = revision
    this.#key = key
  }

  get isOpen() {
    return this.#open
  }

  get #headers() {
    return {
      ...JSON_HEADERS,
      authorization: `Bearer ${this.#key}`,
      'mcp-session-id': this.#id,
      ...(this.revision > '2025-03-26' && { 'mcp-protocol-version': this.revision }),
    }
  }

  async open() {
    const { ledger, balancer } = this.#storm
    const op = ledger.begin('open', this.revision)
    const params = {
      protocolVersion: this.revision,
      capabilities: this.#storm.capabilities(this.revision),
      clientInfo: { name: 'storm', version: '1' },
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    const headers = { ...JSON_HEADERS, authorization: `Bearer ${this.#key}` }
    let reply
    const onEvent = ({ data }) => (reply = parseJson(data) ?? reply)
    const answer = await exchange(balancer, { headers, body, onEvent }).over
    op.ran(answer.life)
    reply ??= parseJson(answer.text)
    this.#id = answer.headers['mcp-session-id']
    if (reply?.result === undefined || this.#id === undefined)
      return op.fail(`initialize: ${answer.status} ${answer.text.slice(0, 200)}`)
    op.reply(reply)
    await this.#notify({ method: 'notifications/initialized' })
    this.#open = true
  }

  /** Posts what is answered by 202; a node that dies before it has done so is none of its business. */
  async #notify(message) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    for (let tries = 0; tries < SURELY && !this.#ended; tries++) {
      const answer = await exchange(this.#storm.balancer, { headers: this.#headers, body }).over
      if (answer.status >= 200 && answer.status < 300) return answer
      const kind = message.method ?? 'answer'
      if (answer.status === 404) return this.#lose(kind, answer)
      if (answer.status >= 400 && answer.status !== 503) return this.#complain(kind, answer)
      await sleep(answer.status === 503 ? 500 : 20)
    }
  }

  #complain(kind, { status, text, life }) {
    const note = `${status} ${text.slice(0, 160)} (${life?.name})`
    this.#storm.ledger.wrong('unexplained', { kind, revision: this.revision, note })
  }

  #lose(kind, { status, text, life }) {
    if (this.#ended || !this.#open) return
    this.#open = false
    const note = `${status} ${text.slice(0, 160)} (${life?.name})`
    this.#storm.ledger.wrong('session', { kind, revision: this.revision, note })
  }

  /**
   * Makes a request and sees it through to its one end. `cutAfter` breaks the connection after so many events;
   * `cancelAfter` cancels it.
   */
  async call(kind, method, params, options = {}) {
    const { ledger } = this.#storm
    const id = ++this.#lastId
    const op = ledger.begin(kind, this.revision, options.ownMs)
    op.word = options.word
    op.accepts = options.accepts
    const token = `p${id}`
    const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: { progressToken: token } } }
    const stream = { op, token, seen: new Set(), events: 0, last: undefined, cut: options.cutAfter }
    stream.cancelAfter = options.cancelAfter
    this.#pending.set(id, stream)
    this.#follow(stream, { body: JSON.stringify(message) }).catch((error) => op.settle('wrong', error.stack))
    await op.done
    stream.leave?.()
    this.#forget(id)
    return op
  }

  /** What comes late is noticed for a while. */
  #forget(id) {
    setTimeout(() => this.#pending.delete(id), 5000).unref()
  }

  async #follow(stream, { body }) {
    const { op } = stream
    const onHead = ({ life }) => op.ran(life)
    const answer = await this.#listen(stream, { headers: this.#headers, body, onHead })
    op.ran(answer.life)
    if (op.outcome !== undefined) return
    if (answer.status === 0 || (answer.status === 200 && stream.last === undefined)) {
      const reply = answer.whole ? parseJson(answer.text) : undefined
      if (reply !== undefined) return this.#take(stream, reply)
      if (stream.cancelled) return op.settle('cancelled')
      if (stream.wasCut) return op.settle('lost', 'it was cut, and there was no id to come back with')
      return op.fail('the connection broke before there was an event id')
    }
    if (answer.status === 202 && stream.cancelled) return op.settle('cancelled')
    if (answer.status !== 200) return this.#refused(stream, answer)
    await this.#resume(stream)
  }

  #refused({ op }, answer) {
    if (answer.status === 404) this.#lose(op.kind, answer)
    const reply = parseJson(answer.text)
    op.fail(`${answer.status} ${reply?.error?.message ?? answer.text.slice(0, 200)}`)
  }

  /** Comes back, wherever it is let in, until there is an end. */
  async #resume(stream) {
    const { op } = stream
    const { ledger } = this.#storm
    while (op.outcome === undefined && !this.#ended) {
      if (stream.cancelled) return op.settle('cancelled')
      op.resumed = true
      const begun = Date.now()
      const onHead = ({ status }) => {
        if (status === 200) ledger.samples.push({ kind: 'resume', at: begun, ms: Date.now() - begun })
      }
      const headers = { ...this.#headers, 'last-event-id': stream.last }
      const answer = await this.#listen(stream, { method: 'GET', headers, onHead })
      ledger.count('resumed')
      if (op.outcome !== undefined) return
      op.lastSeen = `resumed after ${stream.last}: ${answer.status} ${answer.text.slice(0, 100)}`
      if (answer.status >= 400 && !AGAIN.has(answer.status)) {
        if (answer.status === 404) this.#lose(op.kind, answer)
        return op.settle(
          'lost',
          `resuming after ${stream.last}: ${answer.status} ${answer.text.slice(0, 200)}`,
        )
      }
      if (answer.status === 503) ledger.count('resumes refused')
      await sleep(answer.status === 503 ? 500 : 50)
    }
  }

  #listen(stream, options) {
    const onEvent = (event) => this.#event(stream, event)
    const running = exchange(this.#storm.balancer, { ...options, onEvent })
    stream.leave = () => running.cut()
    return running.over
  }

  #event(stream, { id, data }) {
    if (id !== undefined) stream.last = id
    const message = data ? parseJson(data) : undefined
    if (message === undefined) return
    if (id !== undefined && stream.seen.has(id)) {
      const { kind } = stream.op ?? { kind: 'stream' }
      this.#storm.ledger.wrong('duplicate', { kind, revision: this.revision, note: `event ${id}` })
    }
    stream.seen.add(id)
    stream.events++
    this.#take(stream, message)
    if (stream.events === stream.cut) {
      this.#storm.ledger.count('connections cut')
      stream.wasCut = true
      stream.leave()
    }
    if (stream.events === stream.cancelAfter) void this.#cancel(stream, message)
  }

  #take(stream, message) {
    const { id, method, params } = message
    if (method === undefined) {
      const { op, cancelled } = this.#pending.get(id) ?? {}
      if (op === undefined) return
      if (cancelled) return op.settle('uncancelled', JSON.stringify(message).slice(0, 200))
      if (stream.op !== op) op.settle('wrong', `the reply came on another stream: ${stream.op?.kind}`)
      return op.reply(message)
    }
    if (id !== undefined) return void this.#answer(message, stream)
    if (method === 'notifications/progress') {
      if (params.progressToken === stream.token) stream.op.step(params.progress)
      return
    }
    this.hearing?.tell(message)
  }

  /** Answers a question by a POST of its own, which goes to whichever node has its turn. */
  async #answer({ id, method }, { op }) {
    this.#storm.ledger.count('questions')
    const asking = [...this.#pending.values()].find((one) => one.op.word && one.op.outcome === undefined)
    const result = this.#storm.answerTo(method, op?.word ?? asking?.op.word)
    await this.#notify({ id, result })
  }

  async #cancel(stream) {
    stream.cancelled = true
    const [id] = [...this.#pending].find(([, one]) => one === stream)
    await this.#notify({ method: 'notifications/cancelled', params: { requestId: id } })
    stream.op.lastSeen = 'cancelled'
    if (!this.#storm.silentCancel) return
    await sleep(3000)
    stream.op.settle('cancelled')
  }

  /** Listens on the session's own stream until it ends, and to a room if there is one. */
  async hear(room) {
    void this.#hearAll()
    if (room === undefined) return
    this.hearing = this.#storm.hearing({ revision: this.revision, room })
    const op = await this.call('subscribe', 'resources/subscribe', { uri: roomUri(room) })
    if (op.outcome !== 'answered') return
    this.#subscribed = true
    if (this.#hearingStream.connected) this.hearing.opened()
  }

  async #hearAll() {
    const stream = { seen: new Set(), events: 0, last: undefined }
    this.#hearingStream = stream
    while (!this.#ended && this.#open) {
      const resumed = stream.last !== undefined
      const headers = { ...this.#headers, ...(resumed && { 'last-event-id': stream.last }) }
      const onHead = ({ status }) => {
        stream.connected = status === 200
        if (stream.connected && this.#subscribed) this.hearing.opened({ resumed })
      }
      const answer = await this.#listen(stream, { method: 'GET', headers, onHead })
      stream.connected = false
      this.hearing?.broke()
      if (this.#ended) return
      if (answer.status === 404) return this.#lose('stream', answer)
      if (answer.status >= 400 && !AGAIN.has(answer.status)) this.#complain('stream', answer)
      await sleep(answer.status >= 400 ? 500 : 50)
    }
  }

  /** Ends the session by DELETE, on any node; it must then be over on every node. */
  async end() {
    this.leave()
    const { balancer, ledger } = this.#storm
    const op = ledger.begin('end', this.revision)
    let answer
    do answer = await exchange(balancer, { method: 'DELETE', headers: this.#headers }).over
    while (answer.status === 0 && op.outcome === undefined)
    op.ran(answer.life)
    if (answer.status >= 300 && answer.status !== 404) return op.fail(`DELETE: ${answer.status}`)
    for (let node = 0; node < this.#storm.nodes.length; node++) await this.#checkOver(node)
    op.settle('answered')
  }

  /** Nodes hear of its end in their own time; one that has not heard after seconds never will. */
  async #checkOver(number) {
    const { balancer, ledger } = this.#storm
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1e6 + number, method: 'ping' })
    let answer
    for (const pauseMs of [200, 1000, 5000]) {
      await sleep(pauseMs)
      answer = await exchange(balancer, { headers: this.#headers, body }).over
      if (answer.status !== 200) return
    }
    const note = `answered by ${answer.life?.name}`
    ledger.wrong('undead', { kind: 'end', revision: this.revision, note })
  }

  /** Leaves without a word. */
  leave() {
    this.#ended = true
    this.#open = false
    this.hearing?.broke()
    this.#hearingStream?.leave?.()
    for (const { leave } of this.#pending.values()) leave?.()
  }
}
