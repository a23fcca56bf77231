import {
  findRevision,
  type Id,
  isObject,
  type JsonObject,
  META,
  NEWEST,
  type Revision,
  type Server,
  type WireError,
} from '../../kernel/index.ts'
import { connectMemory, type Heard, type MemoryEnd } from './index.ts'

/** Answers a question of the server's: elicitation, sampling, roots. */
export type Answerer = (params: JsonObject) => JsonObject | Promise<JsonObject>

export interface TestClientOptions {
  /** Which revision to speak; the newest unless said. */
  readonly revision?: string
  readonly capabilities?: JsonObject
  /** By method; having one for `elicitation/create` makes the client declare elicitation, and so on. */
  readonly answers?: { readonly [method: string]: Answerer }
}

export interface RequestOptions {
  readonly meta?: JsonObject
  readonly signal?: AbortSignal
}

/** What a server answered instead of a result. */
export class ErrorReply extends Error {
  readonly code: number
  readonly data: unknown

  constructor({ code, message, data }: WireError) {
    super(message)
    this.name = 'ErrorReply'
    this.code = code
    this.data = data
  }
}

/** A client in the same process: no transport, no ports, real protocol. */
export interface TestClient {
  readonly revision: Revision
  /** The notices heard so far, oldest first. */
  readonly notices: readonly { readonly method: string; readonly params: JsonObject }[]
  /** Asks for a result; an error reply is thrown as an ErrorReply. Questions on the way are answered. */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject>
  notify(method: string, params?: JsonObject): void
  callTool(name: string, args?: JsonObject, options?: RequestOptions): Promise<JsonObject>
  close(): void
}

const CAPABILITIES: { readonly [method: string]: JsonObject } = {
  'elicitation/create': { elicitation: {} },
  'sampling/createMessage': { sampling: {} },
  'roots/list': { roots: {} },
}

const CLIENT_INFO = { name: 'test-client', version: '1.0.0' }

export async function createTestClient(server: Server, options: TestClientOptions = {}): Promise<TestClient> {
  const { answers = {} } = options
  const revision = options.revision === undefined ? NEWEST : findRevision(options.revision)
  if (revision === undefined) throw new TypeError(`There is no revision ${options.revision}`)
  const capabilities = Object.assign(
    {},
    ...Object.keys(answers).map((method) => CAPABILITIES[method]),
    options.capabilities,
  )
  const client = new Conversation(server, revision, capabilities, answers)
  if (revision.opening === 'handshake') {
    await client.request('initialize', {
      protocolVersion: revision.id,
      capabilities,
      clientInfo: CLIENT_INFO,
    })
    client.notify('notifications/initialized')
  }
  return client
}

class Conversation implements TestClient {
  readonly revision: Revision
  readonly notices: { method: string; params: JsonObject }[] = []
  readonly #capabilities: JsonObject
  readonly #answers: { readonly [method: string]: Answerer }
  readonly #end: MemoryEnd
  readonly #waiting = new Map<Id, { resolve(result: JsonObject): void; reject(error: Error): void }>()
  #lastId = 0

  constructor(
    server: Server,
    revision: Revision,
    capabilities: JsonObject,
    answers: { readonly [method: string]: Answerer },
  ) {
    this.revision = revision
    this.#capabilities = capabilities
    this.#answers = answers
    this.#end = connectMemory(server, (message) => this.#hear(message))
  }

  async request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<JsonObject> {
    const result = await this.#ask(method, params, options)
    if (result['resultType'] !== 'input_required') return result
    const inputResponses: { [key: string]: JsonObject } = {}
    for (const [key, question] of Object.entries(
      (result['inputRequests'] ?? {}) as Record<string, JsonObject>,
    )) {
      inputResponses[key] = await this.#answer(String(question['method']), question['params'])
    }
    const { requestState } = result
    return this.request(
      method,
      { ...params, inputResponses, ...(requestState !== undefined && { requestState }) },
      options,
    )
  }

  callTool(name: string, args: JsonObject = {}, options: RequestOptions = {}): Promise<JsonObject> {
    return this.request('tools/call', { name, arguments: args }, options)
  }

  notify(method: string, params?: JsonObject): void {
    this.#end.send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })
  }

  close(): void {
    this.#end.close()
    for (const { reject } of this.#waiting.values()) reject(new Error('The conversation was closed'))
    this.#waiting.clear()
  }

  #ask(method: string, params: JsonObject, { meta = {}, signal }: RequestOptions): Promise<JsonObject> {
    const id = ++this.#lastId
    const said = { ...this.#introduction(), ...meta }
    const sent = Object.keys(said).length === 0 ? params : { ...params, _meta: said }
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      signal?.addEventListener('abort', () => {
        this.#waiting.delete(id)
        this.notify('notifications/cancelled', { requestId: id })
        reject(new Error('Cancelled'))
      })
      this.#end.send({ jsonrpc: '2.0', id, method, params: sent })
    })
  }

  /** A revision without a handshake has every request say who sends it. */
  #introduction(): JsonObject {
    if (this.revision.opening === 'handshake') return {}
    return {
      [META.protocolVersion]: this.revision.id,
      [META.clientCapabilities]: this.#capabilities,
      [META.clientInfo]: CLIENT_INFO,
    }
  }

  #hear(message: Heard): void {
    const { id, method, params, result, error } = message
    if (typeof method === 'string') {
      if (id === undefined) this.notices.push({ method, params: isObject(params) ? params : {} })
      else void this.#answerRequest(id as Id, method, params)
      return
    }
    const waiting = this.#waiting.get(id as Id)
    this.#waiting.delete(id as Id)
    if (isObject(result)) waiting?.resolve(result)
    else waiting?.reject(new ErrorReply(error as WireError))
  }

  async #answerRequest(id: Id, method: string, params: unknown): Promise<void> {
    try {
      this.#end.send({ jsonrpc: '2.0', id, result: await this.#answer(method, params) })
    } catch (error) {
      this.#end.send({ jsonrpc: '2.0', id, error: { code: -32601, message: (error as Error).message } })
    }
  }

  async #answer(method: string, params: unknown): Promise<JsonObject> {
    const answer = this.#answers[method]
    if (answer === undefined) throw new Error(`The test client has no answer to ${method}`)
    return answer(isObject(params) ? params : {})
  }
}
