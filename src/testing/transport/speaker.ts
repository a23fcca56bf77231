import { ok } from 'node:assert/strict'
import { introduce } from '../../client/introduction.ts'
import { type Id, isObject, type JsonObject, type Revision } from '../../kernel/index.ts'
import { eventually } from '../contract.ts'
import type { Kept } from './contract-server.ts'
import type { TransportEnd } from './end.ts'

const SELF = {
  info: { name: 'contract', version: '1.0.0' },
  capabilities: { elicitation: {}, sampling: {}, roots: {} },
  logLevel: 'info',
} as const

interface SpeakerOptions {
  readonly revision: Revision
  readonly heard: readonly JsonObject[]
  readonly end: TransportEnd
  readonly kept: () => Kept
  readonly patienceMs: number | undefined
}

/** Speaks bare JSON-RPC at the client's end, and remembers what it heard in the order in which it came. */
export class Speaker {
  readonly revision: Revision
  readonly heard: readonly JsonObject[]
  readonly #end: TransportEnd
  readonly #kept: () => Kept
  readonly #patienceMs: number | undefined
  #lastId = 0

  constructor(options: SpeakerOptions) {
    this.revision = options.revision
    this.heard = options.heard
    this.#end = options.end
    this.#kept = options.kept
    this.#patienceMs = options.patienceMs
  }

  get end(): TransportEnd {
    return this.#end
  }

  /** Makes the handshake, where the revision has one, and gives its answer. */
  async open(): Promise<JsonObject | undefined> {
    if (this.revision.opening !== 'handshake') return undefined
    const { id: protocolVersion } = this.revision
    const { capabilities, info: clientInfo } = SELF
    const answer = await this.ask('initialize', { protocolVersion, capabilities, clientInfo })
    await this.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return answer
  }

  /** Resolves when the transport has taken it. */
  async send(message: JsonObject | readonly JsonObject[]): Promise<void> {
    await this.#end.send(JSON.stringify(message))
  }

  /** A request as the revision has it. */
  compose(method: string, params: JsonObject = {}, meta: JsonObject = {}): JsonObject & { readonly id: Id } {
    const id = ++this.#lastId
    const { revision } = this
    return { jsonrpc: '2.0', id, method, params: introduce(params, { self: SELF, revision, more: meta }) }
  }

  composeCall(name: string, args: JsonObject = {}, meta: JsonObject = {}) {
    return this.compose('tools/call', { name, arguments: args }, meta)
  }

  /** Sends a request and gives its id. */
  async request(method: string, params: JsonObject = {}, meta: JsonObject = {}): Promise<Id> {
    const request = this.compose(method, params, meta)
    await this.send(request)
    return request.id
  }

  async ask(method: string, params: JsonObject = {}, meta: JsonObject = {}): Promise<JsonObject> {
    return this.answerTo(await this.request(method, params, meta))
  }

  begin(name: string, args: JsonObject = {}, meta: JsonObject = {}): Promise<Id> {
    return this.request('tools/call', { name, arguments: args }, meta)
  }

  async call(name: string, args: JsonObject = {}, meta: JsonObject = {}): Promise<JsonObject> {
    return this.answerTo(await this.begin(name, args, meta))
  }

  answerTo(id: Id): Promise<JsonObject> {
    return this.find(`an answer to ${JSON.stringify(id)}`, (one) => one['id'] === id && !('method' in one))
  }

  /** The first message that fits, heard already or still to come. */
  async find(what: string, fits: (message: JsonObject) => boolean): Promise<JsonObject> {
    let found: JsonObject | undefined
    await this.eventually(() => {
      found = this.heard.find(fits)
      ok(found, `${what} did not come; heard last: ${JSON.stringify(this.heard.slice(-3))?.slice(0, 1000)}`)
    })
    return found ?? {}
  }

  /** What was logged, oldest first. */
  get logged(): readonly unknown[] {
    return this.heard
      .filter(({ method }) => method === 'notifications/message')
      .map(({ params }) => (isObject(params) ? params['data'] : undefined))
  }

  /** Begins a call that does not end by itself; resolves when it is under way. */
  async wait(): Promise<Id> {
    const { functions } = await this.count()
    const id = await this.begin('wait')
    await this.eventually(async () => ok((await this.count()).functions > functions, 'a call did not begin'))
    return id
  }

  /** What the server keeps while the conversation goes on, by its own word. */
  async count(): Promise<Kept> {
    return JSON.parse(String(textOf(await this.call('count'))))
  }

  /** Resolves as soon as `prove` no longer throws. */
  eventually(prove: () => void | Promise<void>): Promise<void> {
    return eventually(prove, this.#patienceMs)
  }

  /** What the server keeps when the conversation is over. */
  async kept(): Promise<Kept> {
    return this.#end.kept?.() ?? this.#kept()
  }
}

/** The text of what a tool answered. */
export function textOf({ result }: JsonObject): unknown {
  const content = isObject(result) ? result['content'] : undefined
  const [first] = Array.isArray(content) ? content : []
  return isObject(first) ? first['text'] : undefined
}
