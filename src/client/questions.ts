import {
  FAULTS,
  type Id,
  isObject,
  type JsonObject,
  type Request,
  Told,
  type WireError,
} from '../kernel/index.ts'
import type { Answers } from './answers.ts'
import { ClientError } from './errors.ts'
import type { Limits } from './limits.ts'
import type { OnBehalf } from './on-behalf.ts'
import { checkQuestions } from './results.ts'
import { answerByAny, type FindAnswer } from './takers.ts'
import type { Sent } from './wire.ts'

type AnyAnswer = (params: JsonObject, asked: { readonly signal: AbortSignal }) => unknown

export interface QuestionsOptions {
  readonly answers: Answers
  readonly limits: Limits
  /** Resolves when the answer is on its way. */
  readonly send: (answer: Sent) => Promise<void>
  readonly warn: (error: Error) => void
}

/** Until when an answer is wanted, and who gives it, if not the client itself. */
interface AnswerOptions {
  readonly signal: AbortSignal
  readonly answer?: OnBehalf['onQuestion'] | undefined
}

/** How many answers may be on their way for each question that may be open: a server can ask without ever hearing. */
const UNHEARD = 16

/** What a server asks of its client: by a request of its own, or by a result that wants the call made again. */
export class ServerQuestions {
  readonly #options: QuestionsOptions
  readonly #open = new Map<Id, AbortController>()
  /** How many are being answered by whom: each call that is made for somebody else has its own, the client the rest. */
  readonly #answering = new Map<OnBehalf['onQuestion'] | undefined, number>()
  #unheard = 0
  #isDeaf = false

  constructor(options: QuestionsOptions) {
    this.#options = options
  }

  /** Whether somebody is being asked just now. */
  get waiting(): boolean {
    return this.#answering.size > 0
  }

  /** A request of the server's; it is answered, whatever happens. */
  async receive({ id, method, params }: Request, find: FindAnswer): Promise<void> {
    const { limits } = this.#options
    if (this.answeredBy(find()) >= limits.maxQuestions || this.#open.has(id)) {
      const message = `The client answers at most ${limits.maxQuestions} questions at once`
      return this.#send({ jsonrpc: '2.0', id, error: { code: FAULTS.rateLimited.code, message } })
    }
    const stop = new AbortController()
    this.#open.set(id, stop)
    try {
      const { signal } = stop
      const result = await answerByAny(
        find,
        (answer) => this.#answer(method, params, { signal, answer }),
        signal,
      )
      if (!stop.signal.aborted) await this.#send({ jsonrpc: '2.0', id, result })
    } catch (error) {
      if (!stop.signal.aborted) await this.#send({ jsonrpc: '2.0', id, error: toWireError(error) })
    } finally {
      this.#open.delete(id)
    }
  }

  /** The server does not wait for this answer any more. */
  withdraw(id: Id): void {
    this.#open.get(id)?.abort()
  }

  /** Nobody does. */
  close(): void {
    for (const stop of this.#open.values()) stop.abort()
  }

  /** A result, unless it asks for more at once than anybody would answer, or what is no question. */
  checkAsked(result: JsonObject): JsonObject {
    return checkQuestions(result, this.#options.limits.maxQuestions)
  }

  /** Answers what a result asks for, one question after the other, since people are asked. */
  async answerAll(inputRequests: unknown, signal: AbortSignal): Promise<JsonObject> {
    this.checkAsked({ inputRequests })
    const questions = Object.entries(isObject(inputRequests) ? inputRequests : {})
    const answers: [string, JsonObject][] = []
    for (const [key, question] of questions) {
      signal.throwIfAborted()
      const { method, params } = isObject(question) ? question : {}
      answers.push([key, await this.#answer(String(method), params, { signal })])
    }
    return Object.fromEntries(answers)
  }

  /** What goes wrong with an answer is nobody's request, so it is told and no more. */
  async #send(answer: Sent): Promise<void> {
    const { send, warn, limits } = this.#options
    if (this.#unheard >= limits.maxQuestions * UNHEARD) {
      if (!this.#isDeaf)
        warn(new ClientError('too-much', 'The server asks faster than it hears the answers (maxQuestions)'))
      this.#isDeaf = true // To say so of each would cost more than to answer it.
      return
    }
    this.#unheard++
    await send(answer).catch(warn)
    if (--this.#unheard === 0) this.#isDeaf = false
  }

  async #answer(
    method: string,
    params: unknown,
    { signal, answer: given }: AnswerOptions,
  ): Promise<JsonObject> {
    if (method === 'ping') return {}
    const own = given === undefined ? findAnswer(this.#options.answers, method) : undefined
    const answer: AnyAnswer | undefined =
      given === undefined ? own : (one, asked) => given(method, one, asked)
    if (answer === undefined) throw new Unanswered(method)
    this.#answering.set(given, this.answeredBy(given) + 1)
    try {
      const result = await answer(isObject(params) ? params : {}, { signal })
      if (!isObject(result)) throw new TypeError(`answers: ${method}: expected an object to come back`)
      return result
    } finally {
      const left = this.answeredBy(given) - 1
      if (left > 0) this.#answering.set(given, left)
      else this.#answering.delete(given)
    }
  }

  /** How many questions somebody is being asked. */
  answeredBy(whom: OnBehalf['onQuestion'] | undefined): number {
    return this.#answering.get(whom) ?? 0
  }
}

function findAnswer(answers: Answers, method: string): AnyAnswer | undefined {
  if (!Object.hasOwn(answers, method)) return undefined
  return answers[method as keyof Answers] as AnyAnswer | undefined // What a server sends is what it says it is, or is refused there.
}

class Unanswered extends ClientError {
  constructor(method: string) {
    super(
      'unsupported',
      `The server asks ${method}, and the client has no answer to it: give connect() answers: { '${method}': … }`,
    )
  }
}

/** An error with a code of its own is told with it: -1 is a user who does not want to. */
function toWireError(error: unknown): WireError {
  if (error instanceof Unanswered)
    return { code: FAULTS.methodNotFound.code, message: 'The client has no answer to this' }
  if (error instanceof Told) return error.wire
  const message = error instanceof Error ? error.message : String(error)
  const code = isObject(error) || error instanceof Error ? (error as { code?: unknown }).code : undefined
  return { code: Number.isSafeInteger(code) ? Number(code) : FAULTS.internalError.code, message }
}
