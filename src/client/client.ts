import {
  FAULTS,
  type Implementation,
  isObject,
  type JsonObject,
  type LogLevel,
  type Revision,
} from '../kernel/index.ts'
import type { Wanted } from './changes.ts'
import type { ClientConnection } from './connection.ts'
import { ClientError, ErrorReply } from './errors.ts'
import { HeaderArguments } from './header-arguments.ts'
import type { Limits } from './limits.ts'
import type { Hear, Listening, Subscriptions } from './listening.ts'
import { readAll } from './lists.ts'
import type { OnBehalf } from './on-behalf.ts'
import type { ServerIntroduction } from './opening.ts'
import type { ClientParts } from './parts.ts'
import type { Requesting, RequestOptions } from './requesting.ts'
import {
  type CallToolResult,
  type Completion,
  checkResult,
  type ListMethod,
  nonsense,
  type Prompt,
  type PromptResult,
  type ReadResult,
  type Resource,
  type ResourceTemplate,
  type Tool,
} from './results.ts'
import { Tasks, taskOf } from './tasks.ts'
import type { HeaderMap } from './wire.ts'
import { pause } from './wires/retrying.ts'
import { follow, toAbortSignal } from './wires/stop.ts'

/** What is to be completed: an argument of a prompt, or a variable of a template. */
export type Completable =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

/** How long a result may ask to be left alone without asking anything. */
const COME_BACK_MS = 100

/**
 * A conversation with one server, whatever carries it and whichever revision it speaks.
 * @example for (const { name } of await client.tools()) console.log(name)
 */
export class Client implements AsyncDisposable {
  /** What the server calls itself. */
  readonly server: Implementation | undefined
  /** What the server says that it can do. */
  readonly capabilities: JsonObject
  /** How the server wants to be used. */
  readonly instructions: string | undefined
  readonly tasks: Tasks
  readonly #connection: ClientConnection
  readonly #subscriptions: Subscriptions
  readonly #limits: Limits
  readonly #headers: HeaderArguments

  /** Clients are made by connect(). @internal */
  constructor({ connection, subscriptions }: ClientParts, opened: ServerIntroduction, limits: Limits) {
    this.#connection = connection
    this.#subscriptions = subscriptions
    this.#limits = limits
    this.#headers = new HeaderArguments((error) => connection.warn(error))
    this.server = opened.info
    this.capabilities = opened.capabilities
    this.instructions = opened.instructions
    this.tasks = new Tasks(connection, limits, (params, options) => this.#callTool(params, options))
  }

  /** What is spoken; a session that has to be opened again may be in another one. */
  get revision(): Revision {
    return this.#connection.revision
  }

  async tools(options?: RequestOptions): Promise<readonly Tool[]> {
    const tools = (await this.#list('tools/list', options)) as readonly Tool[]
    return this.revision.opening === 'every-request' ? this.#headers.learn(tools) : tools
  }

  async resources(options?: RequestOptions): Promise<readonly Resource[]> {
    return (await this.#list('resources/list', options)) as readonly Resource[] // As the list was checked.
  }

  async templates(options?: RequestOptions): Promise<readonly ResourceTemplate[]> {
    return (await this.#list('resources/templates/list', options)) as readonly ResourceTemplate[] // As checked.
  }

  async prompts(options?: RequestOptions): Promise<readonly Prompt[]> {
    return (await this.#list('prompts/list', options)) as readonly Prompt[] // As checked.
  }

  /** Calls a tool and waits for what it answers, also where the server makes a task of it. */
  async callTool(name: string, args: JsonObject = {}, options: RequestOptions = {}): Promise<CallToolResult> {
    const result = await this.#callTool({ name, arguments: args }, options)
    const task = taskOf(result)
    return task === undefined ? checkResult('tools/call', result) : this.tasks.result(task.taskId, options)
  }

  async read(uri: string, options?: RequestOptions): Promise<ReadResult> {
    return checkResult('resources/read', await this.request('resources/read', { uri }, options))
  }

  async prompt(
    name: string,
    args: { readonly [argument: string]: string } = {},
    options?: RequestOptions,
  ): Promise<PromptResult> {
    return checkResult('prompts/get', await this.request('prompts/get', { name, arguments: args }, options))
  }

  /** Suggestions for an argument; `chosen` holds those that are filled in already. */
  async complete(
    ref: Completable,
    argument: { readonly name: string; readonly value: string },
    chosen?: { readonly [argument: string]: string },
  ): Promise<Completion> {
    const context = chosen === undefined ? {} : { context: { arguments: chosen } }
    const { completion } = await this.request('completion/complete', { ref, argument, ...context })
    const { values } = (completion ?? {}) as { values?: unknown } // Looked at in the next line.
    if (!Array.isArray(values))
      throw nonsense('completion/complete', 'completion.values: expected an array', values)
    return completion as Completion
  }

  /** Hears of changes, in either of the ways in which servers tell of them, as whoever the headers say. */
  listen(wanted: Wanted, hear: Hear, headers?: HeaderMap): Promise<Listening> {
    return this.#subscriptions.listen(wanted, hear, headers)
  }

  /** Hears whenever a resource changes. */
  async subscribe(uri: string, hear: (uri: string) => void): Promise<Listening> {
    const listening = await this.listen({ uris: [uri] }, (change) => {
      if (change.kind === 'resource') hear(change.uri)
    })
    if (listening.honoured.uris?.includes(uri) === true) return listening
    await listening.close()
    throw new ClientError('unsupported', `The server does not tell when ${uri} changes`)
  }

  /** How much the server is to log to the client from here on. */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#connection.logLevel = level
    if (this.revision.logLevel === 'by-method') await this.request('logging/setLevel', { level })
  }

  /** Asks for any result. Questions on the way are answered; what the server answers instead is thrown as an ErrorReply. */
  request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<JsonObject> {
    return this.#request(method, params, options)
  }

  /**
   * Makes one request for somebody else: what the server tells and asks meanwhile is handed on, and so is its result,
   * also one that asks for more or names a task.
   */
  exchange(method: string, params: JsonObject, exchange: OnBehalf): Promise<JsonObject> {
    const { signal, timeoutMs, onProgress, meta, headers } = exchange
    const options = { signal, timeoutMs, onProgress, meta, headers, exchange }
    return method === 'tools/call' ? this.#callTool(params, options) : this.#request(method, params, options)
  }

  /** Whether the server keeps a session or a process for this client alone. */
  get isKept(): boolean {
    return this.#connection.wire?.keeps === true
  }

  /** What a server with a handshake can tell of changes by; another one where it may have missed some. @internal */
  get stream(): object | undefined {
    const { wire } = this.#connection
    return wire !== undefined && 'stream' in wire ? wire.stream : wire
  }

  /** Calls `run` when nothing will be answered any more. */
  whenOver(run: () => void): void {
    this.#connection.whenOver(() => run())
  }

  async notify(method: string, params?: JsonObject): Promise<void> {
    await this.#connection.notify(method, params)
  }

  /** Ends the conversation, and the child or the session with it; whatever still waits is rejected. */
  async close(): Promise<void> {
    await this.#connection.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #list(method: ListMethod, options: RequestOptions = {}): Promise<readonly JsonObject[]> {
    const ask = async (params: JsonObject) => {
      const page = await this.request(method, params, options)
      options.onPage?.(isObject(page['_meta']) ? page['_meta'] : {}, page)
      return page
    }
    return readAll(method, ask, this.#limits)
  }

  /** A server that wants arguments repeated in headers says so in its list, which is read when it complains. */
  #callTool(params: JsonObject, options: Requesting): Promise<JsonObject> {
    const call = (repeated: HeaderMap | undefined) => {
      const headers = { ...options.headers, ...repeated }
      return this.#request('tools/call', params, repeated === undefined ? options : { ...options, headers })
    }
    const told = this.#headers.for(params)
    return call(told).catch(async (error: unknown) => {
      const isOfHeaders = error instanceof ErrorReply && error.code === FAULTS.headerMismatch.code
      if (!isOfHeaders || this.revision.opening === 'handshake') throw error
      await this.tools({ signal: options.signal && toAbortSignal(options.signal) })
      if (JSON.stringify(this.#headers.for(params)) === JSON.stringify(told)) throw error // It would be refused again.
      return call(this.#headers.for(params))
    })
  }

  #request(method: string, params: JsonObject, options: Requesting): Promise<JsonObject> {
    if (options.exchange === undefined) return this.#converse(method, params, options)
    const { questions } = this.#connection
    return this.#connection.request(method, params, options).then((result) => questions.checkAsked(result))
  }

  /** Makes the request again, with answers, for as long as its result asks for some. */
  async #converse(method: string, params: JsonObject, options: Requesting): Promise<JsonObject> {
    const { maxRounds } = this.#limits
    let result = await this.#connection.request(method, params, options)
    for (let round = 0; result['resultType'] === 'input_required'; round++) {
      if (round === maxRounds)
        throw new ClientError('too-much', `${method}: still asking after ${maxRounds} rounds (maxRounds)`)
      const answers = await this.#answer(result, options)
      result = await this.#connection.request(method, { ...params, ...answers }, options)
    }
    return result
  }

  async #answer({ inputRequests, requestState }: JsonObject, { signal }: Requesting): Promise<JsonObject> {
    const stop = new AbortController()
    const release = follow(stop, signal, this.#connection.signal)
    try {
      if (inputRequests === undefined) await pause(COME_BACK_MS, stop.signal)
      const inputResponses = await this.#connection.questions.answerAll(inputRequests, stop.signal)
      return { inputResponses, ...(requestState !== undefined && { requestState }) }
    } finally {
      release()
    }
  }
}
