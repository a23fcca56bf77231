import {
  type Id,
  isObject,
  type JsonObject,
  META,
  type Revision,
  type Server,
} from '../../src/kernel/index.ts'
import { connectMemory, type MemoryEnd } from '../../src/transports/memory/index.ts'

/** A message of the server's, with the method it answers if it is a reply. */
export interface Heard {
  readonly message: JsonObject
  readonly method: string | undefined
}

export interface RecorderOptions {
  readonly capabilities: JsonObject
  /** By method: what this client answers to a question; a question it has no answer to stays open. */
  readonly answers: { readonly [method: string]: JsonObject }
}

const CLIENT_INFO = { name: 'oracle', version: '1.0.0' }

/** A client that speaks one revision and keeps every message it hears. */
export class Recorder {
  readonly revision: Revision
  readonly heard: Heard[] = []
  readonly #options: RecorderOptions
  readonly #end: MemoryEnd
  readonly #asked = new Map<unknown, string>()
  readonly #waiting = new Map<unknown, (message: JsonObject) => void>()
  #lastId = 0

  constructor(server: Server, revision: Revision, options: RecorderOptions) {
    this.revision = revision
    this.#options = options
    this.#end = connectMemory(server, (heard) => {
      for (const message of [heard].flat()) this.#hear(message)
    })
  }

  /** The handshake where there is one, and the question what the server is where there is none. */
  async open(): Promise<JsonObject> {
    if (this.revision.opening === 'every-request') return this.request('server/discover')
    const { capabilities } = this.#options
    const reply = await this.request('initialize', {
      protocolVersion: this.revision.id,
      capabilities,
      clientInfo: CLIENT_INFO,
    })
    this.notify('notifications/initialized')
    return reply
  }

  /** Sends a request and goes on, calling again with the answers, until the reply is a final one. */
  async request(method: string, params: JsonObject = {}, meta: JsonObject = {}): Promise<JsonObject> {
    const reply = await this.send(method, params, meta).reply
    const result = reply['result']
    if (!isObject(result) || result['resultType'] !== 'input_required') return reply
    const asked = Object.entries(result['inputRequests'] as Record<string, { method: string }>)
    const inputResponses = Object.fromEntries(
      asked.map(([key, question]) => [key, this.#options.answers[question.method]]),
    )
    const { requestState } = result
    return this.request(method, { ...params, inputResponses, requestState }, meta)
  }

  /** Sends a request without waiting for what becomes of it. */
  send(
    method: string,
    params: JsonObject = {},
    meta: JsonObject = {},
  ): { id: Id; reply: Promise<JsonObject> } {
    const id = ++this.#lastId
    const reply = new Promise<JsonObject>((resolve) => this.#waiting.set(id, resolve))
    const _meta = { ...this.introduction(), ...meta }
    this.#asked.set(id, method)
    this.#end.send({
      jsonrpc: '2.0',
      id,
      method,
      params: Object.keys(_meta).length > 0 ? { ...params, _meta } : params,
    })
    return { id, reply }
  }

  notify(method: string, params?: JsonObject): void {
    this.#end.send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })
  }

  /** Sends any text; `asked` says which methods the ids in it are for. */
  sendText(text: string, asked: { readonly [id: string]: string } = {}): void {
    for (const [id, method] of Object.entries(asked)) this.#asked.set(id, method)
    this.#end.send(text)
  }

  /** Resolves when so many messages of a method have been heard. */
  async hears(method: string, count = 1): Promise<void> {
    while (this.heard.filter(({ message }) => message['method'] === method).length < count) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  close(): void {
    this.#end.close()
  }

  /** What `_meta` of every request says in a revision without a handshake. */
  introduction(): JsonObject {
    if (this.revision.opening === 'handshake') return {}
    return {
      [META.protocolVersion]: this.revision.id,
      [META.clientCapabilities]: this.#options.capabilities,
      [META.clientInfo]: CLIENT_INFO,
    }
  }

  #hear(message: JsonObject): void {
    const { id, method } = message
    const question = typeof method === 'string'
    this.heard.push({ message, method: question ? undefined : this.#asked.get(id) })
    if (!question) this.#waiting.get(id)?.(message)
    else if (id !== undefined) this.#answer(id, method)
  }

  #answer(id: unknown, method: string): void {
    const result = this.#options.answers[method]
    if (result !== undefined) this.#end.send({ jsonrpc: '2.0', id, result })
  }
}
