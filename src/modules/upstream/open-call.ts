import { type Client, ErrorReply, type Notification, type OnBehalf } from '../../client/index.ts'
import { LeftUnanswered } from '../../client/takers.ts'
import { follow, Stop } from '../../client/wires/stop.ts'
import {
  askOnBehalf,
  type Call,
  FAULTS,
  isObject,
  type JsonObject,
  type LogLevel,
  missingCapability,
  Needs,
  type Question,
  REVISIONS,
  type Revision,
  Told,
} from '../../kernel/index.ts'
import { declaredOf } from './declared.ts'
import { asRefusal } from './errors.ts'
import type { PlainHeaders } from './forwarded.ts'
import { isHeard } from './heard.ts'
import { HeldQuestions } from './held-questions.ts'
import { holderOf } from './holder.ts'
import type { Used } from './kept-connection.ts'
import { metaOf } from './params.ts'
import { passProgress } from './pass-progress.ts'
import { LET_GO, withoutRelated } from './upstream-task.ts'
import { urlsAsked } from './url-elicitations.ts'

type UpstreamOutcome = { readonly output: unknown } | { readonly error: unknown }

interface UpstreamWaiter {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
}

/** What is asked of the upstream, on behalf of whoever calls. */
export type Ask = (client: Client, options: OnBehalf) => Promise<unknown>

/** What it takes of whoever waits for a call, here or on another node. */
export type CallerSide = Pick<
  Call,
  'answers' | 'aborted' | 'whenCancelled' | 'progress' | 'notify' | 'hears' | 'detach'
>

export interface OpenCallOptions {
  readonly forwarded?: PlainHeaders | undefined
  /** The task that it goes with, whose questions are asked by whoever looks at it. */
  readonly task?: JsonObject | undefined
  /** Resolves when a tool may be called in the session that there is now. */
  readonly vetted?: (client: Client, call: Call) => Promise<void> | undefined
  /** What may be told of what went wrong. */
  readonly told: (error: unknown, spoken: Revision, call: Call) => unknown
}

/** A call on its way to an upstream: it may stay open there while its client is asked by results and calls again. */
export class OpenCall {
  readonly #call: Call
  /** Whoever waits for it now. */
  #caller: CallerSide
  readonly #options: OpenCallOptions
  readonly #stop = new Stop()
  readonly #questions = new HeldQuestions()
  /** Why its client has called it off. */
  #reason: string | undefined
  /** What it has come to upstream. */
  #outcome: UpstreamOutcome | undefined
  #isAsking = false
  /** Whoever waits for that, or for what it asks. */
  #waiter: UpstreamWaiter | undefined

  constructor(call: Call, options: OpenCallOptions) {
    this.#call = call
    this.#caller = call
    this.#options = options
  }

  /** What goes with its questions, beside where it is open. */
  get state(): JsonObject {
    return this.#options.task ?? {}
  }

  /** Begins it upstream; gives what it comes to, or what has to be asked first. */
  begin({ client, release }: Used, ask: Ask): Promise<unknown> {
    const { meta, link, peer, owner } = this.#call
    const { forwarded } = this.#options
    const wantsProgress = meta?.['progressToken'] !== undefined
    const options: OnBehalf = {
      self: {
        info: peer.info ?? link.server.info,
        capabilities: declaredOf(peer),
        logLevel: this.#call.logLevel,
      },
      signal: this.#stop,
      reason: () => this.#reason,
      timeoutMs: Number.POSITIVE_INFINITY,
      meta: metaOf(meta),
      headers: forwarded,
      whom: () => holderOf({ link, peer, owner, forwarded }, true),
      cleared: (method) => (method === 'tools/call' ? this.#options.vetted?.(client, this.#call) : undefined),
      onProgress: wantsProgress ? (told) => passProgress({ ...told }, this.#caller) : undefined,
      onNotification: (notification) => this.#tell(notification),
      onLeftOpen: () => this.#caller.detach(),
      onQuestion: (method, given, { signal }) => {
        if (!isQuestion(method)) throw new Told({ code: FAULTS.methodNotFound.code, message: UNKNOWN })
        const question = { method, params: inFull(method, given) }
        return this.#mayHold ? this.#hold(question, signal) : this.#ask(question, signal)
      },
    }
    const settle = (outcome: UpstreamOutcome) => {
      release()
      this.#outcome = outcome
      this.#look()
    }
    ask(client, options).then(
      (result) => settle({ output: isObject(result) ? toOutput(result) : result }),
      (error) => settle(this.#failedBy(error, client)),
    )
    return this.#wait()
  }

  #failedBy(error: unknown, { revision }: Client): UpstreamOutcome {
    const { task, told } = this.#options
    const isAsking = error instanceof ErrorReply && task === undefined
    const said = told(error, revision, this.#call)
    const asked = isAsking ? urlsAsked(error, this.#call, (said as Error).message) : undefined // What is told is an error.
    return asked ?? { error: said }
  }

  /** Goes on with the answers that its client has come back with. */
  resume(caller: CallerSide): Promise<unknown> {
    this.#caller = caller
    this.#questions.answer(caller.answers)
    if (this.#outcome !== undefined) this.#questions.leave() // Nobody comes back once more.
    return this.#wait()
  }

  /** Whether it waits for its client to come back. */
  get isHeld(): boolean {
    return this.#questions.size > 0
  }

  /** Whether its client can be asked what it asks; who cannot does not come back. */
  get isAnswerable(): boolean {
    const { peer } = this.#call
    const asked = Object.values(this.questions)
    return (
      this.#options.task !== undefined || asked.every((one) => missingCapability(one, peer) === undefined)
    )
  }

  get questions(): { readonly [key: string]: Question } {
    return this.#questions.listed
  }

  /** For the reason that its client gives, where it gives one. */
  abort(reason?: string): void {
    this.#reason = reason
    this.#stop.abort(new Error('The call was cancelled'))
    this.#questions.leave()
  }

  /** Nobody comes back to it: a call is over with that, and a task goes on. */
  letGo(): void {
    if (this.#options.task === undefined) this.abort()
    else this.#stop.abort(LET_GO)
    this.#questions.leave()
  }

  /** Whether whoever is asked is asked by a result, or by a task, and not by a request. */
  get #mayHold(): boolean {
    return this.#options.task !== undefined || this.#call.peer.revision.asking === 'retry'
  }

  /** What the call comes to; or, as soon as something is asked that only another round can answer, the questions. */
  #wait(): Promise<unknown> {
    this.#caller.whenCancelled((reason) => this.abort(reason))
    if (this.#caller.aborted) this.abort()
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject }
      this.#look()
    })
  }

  #look(): void {
    const outcome = this.#outcome
    if (outcome === undefined) void (this.isHeld && !this.#isAsking && this.#askAtOnce())
    else if ('error' in outcome) this.#waiter?.reject(outcome.error)
    else this.#waiter?.resolve(outcome.output)
  }

  async #askAtOnce(): Promise<void> {
    this.#isAsking = true
    await this.#questions.rested()
    this.#isAsking = false
    if (this.#outcome !== undefined) this.#questions.leave()
    else if (this.isHeld) this.#waiter?.resolve(this)
  }

  #hold(question: Question, signal: AbortSignal): Promise<JsonObject> {
    const answer = this.#questions.hold(question, signal)
    this.#look()
    return answer
  }

  /** Nobody answers for a call that is over: its client is told so, and the upstream does not wait. */
  async #ask(question: Question, signal: AbortSignal): Promise<JsonObject> {
    const over = new AbortController()
    const leave = follow(over, signal, this.#stop)
    try {
      return await askOnBehalf(question, this.#call, over.signal)
    } catch (error) {
      throw this.#stop.aborted ? new LeftUnanswered() : asRefusal(error)
    } finally {
      leave()
    }
  }

  #tell({ method, params }: Notification): void {
    const hears = (level: LogLevel) => this.#caller.hears(level)
    if (isHeard({ method, params }, this.#call.peer, hears)) this.#caller.notify(method, params)
  }
}

/** What no client knows is refused here: it is no reason to end the call. */
function isQuestion(method: string): boolean {
  return REVISIONS.some(({ questions }) => questions.includes(method))
}

const UNKNOWN = 'Method not found: clients are asked nothing by it'

/** In the words of the newest revision, which are fitted to the caller's. */
function inFull(method: string, params: JsonObject): JsonObject {
  const own = withoutRelated(params)
  return method === 'elicitation/create' ? { mode: 'form', ...own } : own
}

/** A result that asks for more is asked here in the way of the caller's revision, and tried again with its own state. */
function toOutput(result: JsonObject): unknown {
  if (result['resultType'] !== 'input_required') return result
  const { inputRequests, requestState } = result
  const questions = isObject(inputRequests) ? (inputRequests as Needs['questions']) : {} // As the upstream words them.
  return new Needs(questions, {
    state: {
      again: true,
      keys: Object.keys(questions),
      ...(typeof requestState === 'string' && { requestState }),
    },
  })
}
