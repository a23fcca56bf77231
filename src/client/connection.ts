import {
  type Id,
  isObject,
  type JsonObject,
  type LogLevel,
  META,
  type Message,
  type Refused,
  type Revision,
} from '../kernel/index.ts'
import { goOn } from '../process/own-turn.ts'
import { entriesOf, isSeveral } from './batches.ts'
import { Clock } from './clock.ts'
import type { ClientConnectionOptions } from './connection-options.ts'
import { ClientError, closed, ErrorReply } from './errors.ts'
import { parseWithin } from './intake.ts'
import { introduce, type Saying, type Self } from './introduction.ts'
import { noAnswer, noMessage } from './no-answer.ts'
import { conclude, PendingRequests } from './pending.ts'
import type { ServerQuestions } from './questions.ts'
import type { Notification, PendingRequest, Requesting } from './requesting.ts'
import { Takers } from './takers.ts'
import type { Ear, OpenWire, Wire } from './wire.ts'

/** However much is heard of it, a request ends when it has taken so many times its patience. */
const TOTAL = 10

/** Requests and their answers over one wire, whatever that is. */
export class ClientConnection implements Ear {
  readonly questions: ServerQuestions
  logLevel: LogLevel | undefined
  readonly #options: ClientConnectionOptions
  readonly #waiting = new PendingRequests()
  readonly #takers: Takers
  readonly #stop = new AbortController()
  #wire: Wire | undefined
  #revision: Revision
  #over: Error | undefined
  #lastId = 0
  /** Told when nothing will be answered any more. */
  readonly #whenOver = new Set<(error: Error) => void>()

  constructor(revision: Revision, options: ClientConnectionOptions) {
    this.#revision = revision
    this.#options = options
    this.questions = options.questions(async (answer) => this.#wire?.send(answer))
    this.#takers = new Takers(this.#waiting, this.questions)
  }

  get revision(): Revision {
    return this.#revision
  }

  get self(): Self {
    return this.#options
  }

  /** Aborted when the client is closed. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Whether nothing will be answered any more. */
  get isOver(): boolean {
    return this.#over !== undefined
  }

  /** Calls `run` when nothing will be answered any more, unless the function given back is called before. */
  whenOver(run: (error: Error) => void): () => void {
    this.#whenOver.add(run)
    if (this.#over !== undefined) run(this.#over)
    return () => this.#whenOver.delete(run)
  }

  /** What carries its messages just now. */
  get wire(): Wire | undefined {
    return this.#wire
  }

  /** Speaks this revision from here on. */
  speak(revision: Revision): void {
    this.#revision = revision
  }

  /** Speaks over this wire from here on; what was under way on the one before is lost. */
  async use(open: OpenWire): Promise<void> {
    const before = this.#wire
    this.#wire = undefined
    this.#failAll(new ClientError('lost', 'The way to the server was opened again'))
    await before?.close()
    this.#over = undefined
    this.#wire = await open(this)
  }

  /** The handshake has been made. */
  async opened(): Promise<void> {
    this.#wire?.agreed?.(this.#revision)
    await this.notify('notifications/initialized')
    this.#wire?.opened()
  }

  request(method: string, params: JsonObject = {}, options: Requesting = {}): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const { signal, onProgress, onNotification, exchange } = options
      const wire = this.#wire
      if (this.#over !== undefined || wire === undefined) return reject(this.#over ?? closed())
      if (signal?.aborted === true) return reject(signal.reason)
      const id = ++this.#lastId
      const giveUp = (error: Error, reason: string) => {
        if (!this.#waiting.has(id)) return
        this.fail(error, id)
        if (method !== 'initialize') wire.cancel(id, reason)
      }
      const abort = () => giveUp(signal?.reason, exchange?.reason?.() ?? 'The client gave up')
      const leave = () => signal?.removeEventListener('abort', abort)
      const clock = this.#startClock(method, options, giveUp)
      this.#waiting.add({ id, method, clock, onProgress, onNotification, exchange, resolve, reject, leave })
      signal?.addEventListener('abort', abort, { once: true })
      const self = exchange?.self ?? this.#saying(options)
      const more = onProgress === undefined ? options.meta : { progressToken: id, ...options.meta }
      const sent = introduce(params, { self, revision: this.#revision, more })
      wire
        .send({ jsonrpc: '2.0', id, method, params: sent }, options.headers, exchange?.cleared)
        .catch((error) => this.fail(error, id))
    })
  }

  #saying({ capabilities }: Requesting): Saying {
    const { info, capabilities: own } = this.#options
    return { info, capabilities: { ...own, ...capabilities }, logLevel: this.logLevel }
  }

  /** Resolves when the server has it, as far as that can be known. */
  async notify(method: string, params?: JsonObject): Promise<void> {
    if (this.#over !== undefined) throw this.#over
    await this.#wire?.send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })
  }

  async close(): Promise<void> {
    const wire = this.#wire
    this.#wire = undefined
    this.#stop.abort(closed())
    this.fail(closed())
    await wire?.close()
  }

  hear(text: string, during?: Id): void {
    const incoming = parseWithin(text, this.#options.intake)
    const { length } = text
    if (!isSeveral(incoming)) return this.#receive(incoming, during, length)
    const batching = { revision: this.#revision, waiting: this.#waiting, during }
    for (const entry of entriesOf(incoming, batching)) this.#receive(entry, during, length)
  }

  awaits(id: Id): boolean {
    return this.#waiting.has(id)
  }

  fail(error: Error, id?: Id): void {
    if (id !== undefined) return this.#takers.gaveUp(this.#waiting.settle(id))?.reject(error)
    const isNews = this.#over === undefined
    this.#over ??= error
    if (isNews) for (const run of [...this.#whenOver]) run(error)
    this.#failAll(error)
  }

  leftOpen(id: Id): void {
    this.#waiting.get(id)?.exchange?.onLeftOpen?.()
  }

  warn(error: Error): void {
    this.#options.onError(error)
  }

  reopen(): Promise<void> {
    return this.#options.onReopen()
  }

  #failAll(error: Error): void {
    this.questions.close()
    this.#takers.clear()
    this.#waiting.failAll(error)
  }

  #startClock(
    method: string,
    { timeoutMs, totalMs }: Requesting,
    giveUp: (error: Error, reason: string) => void,
  ): Clock | undefined {
    const idleMs = timeoutMs ?? this.#options.timeoutMs
    if (idleMs === Number.POSITIVE_INFINITY && totalMs === undefined) return undefined
    return new Clock({
      idleMs,
      totalMs: totalMs ?? idleMs * TOTAL,
      isPaused: () => this.questions.waiting,
      ring: (afterMs) => {
        const brief = `The server did not answer ${method} within ${afterMs / 1000} s`
        const error = new ClientError('timed-out', `${brief} (timeoutMs is ${idleMs})`, { brief })
        giveUp(error, 'The client waited too long')
      },
    })
  }

  #receive(message: Message | Refused, during: Id | undefined, length: number): void {
    if (message.kind === 'refused') return this.#refuse(message, during)
    if (message.kind === 'request')
      return void this.questions.receive(message, this.#takers.ofQuestion(during))
    if (message.kind === 'notification')
      return this.#tell({ method: message.method, params: message.params ?? {} }, during)
    const waiting = this.#settle(message.id, during)
    if (waiting !== undefined) goOn(length, () => conclude(waiting, message)) // Else it came too late, or to nobody.
  }

  #settle(id: unknown, during: Id | undefined): PendingRequest | undefined {
    const waiting = this.#waiting.settle(id)
    if (waiting === undefined) this.#takers.answered(id)
    else if (waiting.id !== during) this.#wire?.answered?.(waiting.id)
    return waiting
  }

  /** Whoever waits for what was to be an answer is told what is wrong with it, since no other one will come. */
  #refuse({ fault, isResponse, response }: Refused, during: Id | undefined): void {
    const { id, error } = response ?? {}
    const isNobodys = id === null && error !== undefined
    const waiting = this.#settle(isNobodys ? (during ?? this.#waiting.only?.id) : id, during)
    if (waiting === undefined) this.warn(noMessage(isNobodys ? error : undefined, fault))
    else waiting.reject(isNobodys ? new ErrorReply(error) : noAnswer(waiting, fault, isResponse))
  }

  #tell(notification: Notification, during: Id | undefined): void {
    const { method, params } = notification
    try {
      if (method === 'notifications/progress') this.#waiting.progress(params)
      if (method === 'notifications/cancelled') this.#cancelled(params['requestId'] as Id) // Any other value finds nothing.
      const meta = params['_meta']
      const subscription = isObject(meta) ? meta[META.subscriptionId] : undefined
      this.#waiting.get(subscription)?.onNotification?.(notification)
      const hearer = this.#takers.ofNotice(notification, during) ?? this.#options
      hearer.onNotification(notification)
    } catch (error) {
      this.warn(error as Error) // What the application's own function throws is no reason to stop hearing.
    }
  }

  /** A server calls off what it asked, or ends what it was to tell of. */
  #cancelled(id: Id): void {
    if (this.#revision.asking === 'request') this.questions.withdraw(id)
    else if (this.#waiting.get(id)?.onNotification !== undefined) this.#waiting.settle(id)?.resolve({})
  }
}
