import { isObject, type JsonObject } from '../../src/kernel/index.ts'
import type { Revision } from '../../src/kernel/revisions/revision.ts'
import type { End } from '../transcripts/play.ts'

export interface Message {
  readonly id?: number | string | null
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: JsonObject
  readonly error?: JsonObject
}

const META = 'io.modelcontextprotocol/'
const CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
  extensions: { [`${META}tasks`]: {}, [`${META}skills`]: {} },
}
const CLIENT_INFO = { name: 'revisions', version: '1.0.0' }

/** A client that can do all a revision lets it, whatever carries its messages. */
export class Client {
  /** The kinds of questions it has been asked and has answered. */
  readonly asked = new Set<string>()
  readonly revision: Revision
  readonly #end: End
  readonly #notices: Message[] = []
  readonly #replies = new Map<unknown, Message>()
  #lastId = 0

  constructor(end: End, revision: Revision) {
    this.#end = end
    this.revision = revision
  }

  /** Makes the handshake, where there is one; gives the server's part in it. */
  async open(): Promise<Message> {
    if (this.revision.opening === 'every-request') return {}
    const params = {
      protocolVersion: this.revision.id,
      capabilities: CAPABILITIES,
      clientInfo: CLIENT_INFO,
    }
    const opened = await this.ask('initialize', params)
    if (opened.result?.['protocolVersion'] !== this.revision.id) throw new Error(JSON.stringify(opened))
    this.#say({ method: 'notifications/initialized' })
    return opened
  }

  /** Asks, answers what it is asked meanwhile, and gives the reply; asks again where that is how to answer. */
  async ask(method: string, params: JsonObject = {}): Promise<Message> {
    const reply = await this.reply(this.send(method, params))
    const { inputRequests, requestState } = reply.result ?? {}
    if (!isObject(inputRequests)) return reply
    const answers = Object.entries(inputRequests).map(([key, one]) => [key, this.#answer(one as Message)])
    return this.ask(method, { ...params, requestState, inputResponses: Object.fromEntries(answers) })
  }

  /** Sends a request and gives its id. */
  send(method: string, params: JsonObject): number {
    const id = ++this.#lastId
    this.#say({ id, method, params: this.#introduced(params) })
    return id
  }

  async reply(id: number): Promise<Message> {
    for (;;) {
      const found = this.#replies.get(id)
      if (found !== undefined) return found
      await this.#hear()
    }
  }

  async notice(method: string): Promise<Message> {
    for (;;) {
      const found = this.#notices.find((notice) => notice.method === method)
      if (found !== undefined) return found
      await this.#hear()
    }
  }

  async close(): Promise<void> {
    await this.#end.close()
  }

  #say(message: Message): void {
    this.#end.say(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }

  async #hear(): Promise<void> {
    const line = await this.#end.heard.next()
    if (line === undefined) throw new Error('the server has ended')
    const message = JSON.parse(line) as Message
    if (message.method === undefined) this.#replies.set(message.id, message)
    else if (message.id === undefined) this.#notices.push(message)
    else this.#say({ id: message.id, result: this.#answer(message) })
  }

  #answer({ method = '', params }: Message): JsonObject {
    this.asked.add(method)
    const answer = ANSWERS[method]
    if (answer === undefined) throw new Error(`nobody can answer ${method}`)
    return answer(params ?? {})
  }

  #introduced(params: JsonObject): JsonObject {
    if (this.revision.opening === 'handshake') return params
    const _meta = {
      [`${META}protocolVersion`]: this.revision.id,
      [`${META}clientCapabilities`]: CAPABILITIES,
      [`${META}clientInfo`]: CLIENT_INFO,
    }
    return { ...params, _meta }
  }
}

const ANSWERS: { readonly [method: string]: (params: JsonObject) => JsonObject } = {
  'elicitation/create': ({ mode }) => ({
    action: 'accept',
    ...(mode !== 'url' && { content: { name: 'Ann' } }),
  }),
  'sampling/createMessage': () => ({
    role: 'assistant',
    content: { type: 'text', text: 'Roses' },
    model: 'm',
  }),
  'roots/list': () => ({ roots: [{ uri: 'file:///a' }] }),
}
