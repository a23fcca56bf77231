import {
  type ContentBlock,
  checkServer,
  findRevision,
  type Id,
  isObject,
  type JsonObject,
  META,
  NEWEST,
  type Principal,
  REVISIONS,
  type Revision,
  type Server,
  settle,
  type WireError,
} from '../../kernel/index.ts'
import { connectMemory, type Heard, type MemoryEnd } from './index.ts'

/** Answers a question of the server's: elicitation, sampling, roots. */
export type Answerer = (params: JsonObject) => JsonObject | Promise<JsonObject>

/** Who the client is, what it can, and what it answers. */
export interface TestClientOptions {
  /** Which revision to speak; the newest unless said. */
  readonly revision?: string
  readonly capabilities?: JsonObject
  /** By method; having one for `elicitation/create` makes the client declare elicitation, and so on. */
  readonly answers?: { readonly [method: string]: Answerer }
  /** Who is calling, as an authenticator would say: `{ id: 'ann', scopes: ['files:read'] }`. */
  readonly principal?: Principal
}

/** What a tool answered. */
export interface CallToolResult extends JsonObject {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  /** Whether the tool failed, or was called with arguments that do not fit. */
  readonly isError?: boolean
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
  /** Calls a tool and waits for what it answers. */
  callTool(name: string, args?: JsonObject, options?: RequestOptions): Promise<CallToolResult>
  close(): void
}

const CAPABILITIES: { readonly [method: string]: JsonObject } = {
  'elicitation/create': { elicitation: {} },
  'sampling/createMessage': { sampling: {} },
  'roots/list': { roots: {} },
}

/** As many as a server asks a client of an older revision. */
const MAX_ROUNDS = 20

const CLIENT_INFO = { name: 'test-client', version: '1.0.0' }

/** Talks to a server in the same process, through the real protocol, in any revision. */
export async function createTestClient(server: Server, options: TestClientOptions = {}): Promise<TestClient> {
  checkServer('createTestClient', server)
  const { answers, principal } = settle<Settled>('createTestClient', DEFAULTS, options)
  const revision = options.revision === undefined ? NEWEST : findRevision(options.revision)
  if (revision === undefined)
    throw new TypeError(
      `createTestClient: there is no revision ${options.revision}. Expected one of ${REVISIONS.map(({ id }) => id).join(', ')}`,
    )
  const capabilities = Object.assign(
    {},
    ...Object.keys(answers).map((method) => CAPABILITIES[method]),
    options.capabilities,
  )
  const client = new Conversation({ server, revision, capabilities, answers, principal })
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

interface Settled {
  readonly revision: string | undefined
  readonly capabilities: JsonObject
  readonly answers: { readonly [method: string]: Answerer }
  readonly principal: Principal | undefined
}

const DEFAULTS: Settled = { revision: undefined, capabilities: {}, answers: {}, principal: undefined }

interface ConversationOptions {
  readonly server: Server
  readonly revision: Revision
  readonly capabilities: JsonObject
  readonly answers: { readonly [method: string]: Answerer }
  readonly principal: Principal | undefined
}

class Conversation implements TestClient {
  readonly revision: Revision
  readonly notices: { method: string; params: JsonObject }[] = []
  readonly #capabilities: JsonObject
  readonly #answers: { readonly [method: string]: Answerer }
  readonly #end: MemoryEnd
  readonly #waiting = new Map<Id, { resolve(result: JsonObject): void; reject(error: Error): void }>()
  #lastId = 0

  constructor({ server, revision, capabilities, answers, principal }: ConversationOptions) {
    this.revision = revision
    this.#capabilities = capabilities
    this.#answers = answers
    this.#end = connectMemory(server, (message) => this.#hear(message), principal)
  }

  async request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<JsonObject> {
    let result = await this.#ask(method, params, options)
    for (let round = 0; result['resultType'] === 'input_required'; round++) {
      if (round === MAX_ROUNDS) throw new Error(`${method}: still asking after ${MAX_ROUNDS} rounds`)
      result = await this.#ask(method, { ...params, ...(await this.#answerAll(result)) }, options)
    }
    return result
  }

  /** What goes with a request that is made again because its result asked for more. */
  async #answerAll({ inputRequests, requestState }: JsonObject): Promise<JsonObject> {
    const inputResponses: { [key: string]: JsonObject } = {}
    for (const [key, question] of Object.entries((inputRequests ?? {}) as Record<string, JsonObject>)) {
      inputResponses[key] = await this.#answer(String(question['method']), question['params'])
    }
    return { inputResponses, ...(requestState !== undefined && { requestState }) }
  }

  callTool(name: string, args: JsonObject = {}, options: RequestOptions = {}): Promise<CallToolResult> {
    return this.request('tools/call', { name, arguments: args }, options) as Promise<CallToolResult> // It is one unless the client asked for a task.
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
