import { roomUri } from './rooms.mjs'
import { exchange, parseJson, sleep } from './wire.mjs'

const REVISION = '2026-07-28'
const META = 'io.modelcontextprotocol'

/** A client of 2026-07-28: every request stands alone, and a connection that breaks is the end of its call. */
export class Stateless {
  revision = REVISION
  hearing
  #storm
  #key
  #lastId = 0
  #left = false
  #open = new Set()

  constructor(storm, _revision, key) {
    this.#storm = storm
    this.#key = key
  }

  get isOpen() {
    return !this.#left
  }

  async open() {
    await this.call('open', 'server/discover', {})
  }

  #request(method, params) {
    const id = ++this.#lastId
    const _meta = {
      [`${META}/protocolVersion`]: REVISION,
      [`${META}/clientCapabilities`]: this.#storm.capabilities(REVISION),
      [`${META}/clientInfo`]: { name: 'storm', version: '1' },
      progressToken: `p${id}`,
    }
    const name = params.name ?? params.uri ?? params.taskId
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${this.#key}`,
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    }
    const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta } }
    return { id, headers, body: JSON.stringify(message) }
  }

  async call(kind, method, params, { ownMs = 0, cancelAfter, accepts } = {}) {
    const op = this.#storm.ledger.begin(kind, REVISION, ownMs)
    op.accepts = accepts
    const { id, headers, body } = this.#request(method, params)
    let events = 0
    const take = (message) => {
      if (message?.id === id) return op.reply(message)
      if (message?.method === 'notifications/progress') op.step(message.params.progress)
      if (++events !== cancelAfter) return
      op.abandoned = true
      op.settle('cancelled') // To leave is to cancel.
      running.cut()
    }
    const running = exchange(this.#storm.balancer, {
      headers,
      body,
      onHead: ({ life }) => op.ran(life),
      onEvent: ({ data }) => take(parseJson(data)),
    })
    this.#open.add(running)
    void running.over.then((answer) => {
      this.#open.delete(running)
      op.ran(answer.life)
      if (op.outcome !== undefined) return
      const reply = answer.whole ? parseJson(answer.text) : undefined
      if (reply !== undefined) return op.reply(reply)
      op.fail(
        `${answer.status === 0 || answer.status === 200 ? 'the connection broke' : `${answer.status} ${answer.text.slice(0, 200)}`}`,
      )
    })
    await op.done
    if (op.outcome === 'hung') running.cut()
    return op
  }

  /** Listens until it leaves, and begins anew wherever it is let in. */
  async hear(room) {
    if (room === undefined) return
    this.hearing = this.#storm.hearing({ revision: REVISION, room })
    void this.#hearAll({ toolsListChanged: true, resourceSubscriptions: [roomUri(room)] })
  }

  async #hearAll(notifications) {
    while (!this.#left) {
      const { headers, body } = this.#request('subscriptions/listen', { notifications })
      const onEvent = ({ data }) => {
        const message = parseJson(data)
        if (message?.method === 'notifications/subscriptions/acknowledged') this.hearing.opened()
        else if (message?.method !== undefined) this.hearing.tell(message)
      }
      const running = exchange(this.#storm.balancer, { headers, body, onEvent })
      this.#open.add(running)
      const { status, text } = await running.over
      this.#open.delete(running)
      this.hearing.broke()
      if (!this.#left && status >= 400 && status !== 503)
        this.#storm.ledger.wrong('unexplained', {
          kind: 'listen',
          revision: REVISION,
          note: `${status} ${text.slice(0, 160)}`,
        })
      await sleep(status >= 400 ? 500 : 50)
    }
  }

  async end() {
    this.leave()
  }

  leave() {
    this.#left = true
    this.hearing?.broke()
    for (const running of this.#open) running.cut()
  }
}
