import { type Id, isAtLeast, type JsonObject, type LogLevel, type Request } from '../../kernel/index.ts'

/** What clients of MCP call the revision that they speak. */
const IS_DATE = /^\d{4}-\d\d-\d\d$/

/** What a client has agreed on with a child, so that the next one can be told. */
export class HostMemory {
  /** What the client said of itself, once that has been answered. */
  introduction: JsonObject | undefined
  isInitialized = false
  level: LogLevel | undefined
  readonly #subscriptions = new Set<string>()
  /** Requests that are answered only when their client has heard enough, by their ids. */
  readonly #listening = new Map<Id, Request>()

  /** A request has been handed on. */
  asked(request: Request): void {
    if (request.method === 'initialize') this.isInitialized = false
    if (request.method === 'subscriptions/listen') this.#listening.set(request.id, request)
  }

  /** A request has been answered; what was refused is as if it had never been said. */
  answered({ id, method, params = {} }: Request, isError: boolean): void {
    this.#listening.delete(id)
    if (isError) return
    const uri = String(params['uri'])
    if (method === 'initialize') {
      this.introduction = params
      this.level = undefined
      this.#subscriptions.clear()
    }
    if (method === 'logging/setLevel') this.level = params['level'] as LogLevel // It has been taken.
    if (method === 'resources/subscribe') this.#subscriptions.add(uri)
    if (method === 'resources/unsubscribe') this.#subscriptions.delete(uri)
  }

  /** A notification has been handed on. */
  told(method: string): void {
    if (method === 'notifications/initialized') this.isInitialized = true
  }

  /** Whether it hears of what is of that level; who speaks a protocol of a server's own has no word for it. */
  wants(level: LogLevel): boolean {
    const { introduction } = this
    if (introduction === undefined || !isAtLeast(level, this.level ?? 'info')) return false
    return IS_DATE.test(String(introduction['protocolVersion']))
  }

  cancelled(id: Id): void {
    this.#listening.delete(id)
  }

  isListening(id: Id): boolean {
    return this.#listening.has(id)
  }

  get listening(): readonly Request[] {
    return [...this.#listening.values()]
  }

  /** What the next child has to be asked before it can go on with the client, in this order. */
  get requests(): readonly { readonly method: string; readonly params: JsonObject }[] {
    if (this.introduction === undefined) return []
    return [
      { method: 'initialize', params: this.introduction },
      ...(this.level === undefined ? [] : [{ method: 'logging/setLevel', params: { level: this.level } }]),
      ...[...this.#subscriptions].map((uri) => ({ method: 'resources/subscribe', params: { uri } })),
    ]
  }
}
