import { FAULTS, type Id, type JsonObject, Told } from '../kernel/index.ts'
import type { OnBehalf } from './on-behalf.ts'
import type { PendingRequests } from './pending.ts'
import type { ServerQuestions } from './questions.ts'
import type { Notification, PendingRequest } from './requesting.ts'

/** What a server tells because of a request, and by which it does not say which. */
const BELONGS = new Set(['notifications/message', 'notifications/elicitation/complete'])

/** Thrown by whoever was asked for a request that is over: another may be asked. */
export class LeftUnanswered extends Error {
  constructor() {
    super('The call is over by which this was asked')
    this.name = 'LeftUnanswered'
  }
}

/** Finds who answers a question, if not the client itself. */
export type FindAnswer = () => OnBehalf['onQuestion'] | undefined

/** Whoever is found to answer may have left it unanswered, and another call may be there; nobody is asked about one that is over. */
export async function answerByAny(
  find: FindAnswer,
  ask: (answer: OnBehalf['onQuestion'] | undefined) => Promise<JsonObject>,
  signal: AbortSignal,
): Promise<JsonObject> {
  for (;;) {
    const answer = find()
    try {
      return await ask(answer)
    } catch (error) {
      if (!(error instanceof LeftUnanswered) || signal.aborted || [answer, undefined].includes(find()))
        throw error
    }
  }
}

/** How many requests that were given up are remembered one by one. */
const MOST_GIVEN_UP = 1000

/** Finds for whom a message is that belongs to a request which was made for somebody else. */
export class Takers {
  readonly #waiting: PendingRequests
  readonly #questions: ServerQuestions
  /** For whom requests were that the server has not answered and may still be at work on. */
  readonly #givenUp = new Map<Id, unknown>()
  /** The same of those that are too many; two are as unclear as more. */
  readonly #forgotten = new Set<unknown>()
  #lastWhom: unknown
  /** Those that have just been asked something: what comes at once with it may be theirs as well. */
  readonly #asked = new Set<OnBehalf>()

  constructor(waiting: PendingRequests, questions: ServerQuestions) {
    this.#waiting = waiting
    this.#questions = questions
  }

  /** Nobody waits for its answer, and what it asks or tells is still for whom it was made. */
  gaveUp(request: PendingRequest | undefined): PendingRequest | undefined {
    if (request?.exchange === undefined) return request
    this.#givenUp.set(request.id, this.#asBefore(request.exchange.whom?.()))
    for (const [oldest, whom] of this.#givenUp) {
      if (this.#givenUp.size <= MOST_GIVEN_UP) break
      this.#givenUp.delete(oldest)
      if (this.#forgotten.size < 2) this.#forgotten.add(whom)
    }
    return request
  }

  /** The same as the last where it is equal: a name may be long, and is kept once for however many requests. */
  #asBefore(whom: unknown): unknown {
    if (this.#lastWhom !== whom) this.#lastWhom = whom
    return this.#lastWhom
  }

  /** The server is done with it; some hand a number back as a string. */
  answered(id: unknown): void {
    this.#givenUp.delete(Number(id))
  }

  /** Nothing that the server was at work on is heard of any more. */
  clear(): void {
    this.#givenUp.clear()
    this.#lastWhom = undefined
    this.#forgotten.clear()
  }

  /** Who answers what is asked with the answer to `during`, and no other caller later; where all messages share a way, see below. */
  ofQuestion(during: Id | undefined): FindAnswer {
    const first = this.#whoms(during)
    return () => {
      const takers = this.#whose(during)
      const isUnclear = takers.length > 0 && areSeveral([...first, ...this.#whoms(during)])
      return isUnclear ? UNCLEAR : this.#idlest(takers)?.onQuestion
    }
  }

  /** Who hears a notification; nobody in particular where it may be for one of several. */
  ofNotice({ method }: Notification, during: Id | undefined): OnBehalf | undefined {
    if (!BELONGS.has(method)) return undefined
    return areSeveral(this.#whoms(during)) ? undefined : this.#whose(during).at(-1)
  }

  /** For whom a message may be that came with the answer to `during`: where all messages share a way, for anybody. */
  #whose(during: Id | undefined): readonly OnBehalf[] {
    const waiting = during === undefined ? this.#waiting.all : [this.#waiting.get(during)]
    return waiting.flatMap((one) => one?.exchange ?? [])
  }

  /** Who may have caused what came with the answer to `during`. */
  #whoms(during: Id | undefined): readonly unknown[] {
    const whoms = this.#whose(during).map(({ whom }) => whom?.())
    return during === undefined ? [...whoms, ...this.#givenUp.values(), ...this.#forgotten] : whoms
  }

  /** A call that waits for an answer asks nothing else as a rule; of the others, the one that was made last is the likeliest. */
  #idlest(takers: readonly OnBehalf[]): OnBehalf | undefined {
    const openOf = ({ onQuestion }: OnBehalf) => this.#questions.answeredBy(onQuestion)
    const idle = takers.filter((taker) => openOf(taker) === 0 || this.#asked.has(taker))
    const among = idle.length > 0 ? idle : takers
    const least = Math.min(...among.map(openOf))
    const idlest = among.findLast((taker) => openOf(taker) === least)
    if (idlest !== undefined) this.#asked.add(idlest)
    setTimeout(() => this.#asked.clear())
    return idlest
  }
}

/** What one of them is asked must not be shown to another. */
function areSeveral([first, ...others]: readonly unknown[]): boolean {
  return others.some((other) => other !== first)
}

const UNCLEAR: OnBehalf['onQuestion'] = async () => {
  const message =
    'Several callers share this connection, and nobody can be asked a question which does not say whose call it belongs to'
  throw new Told({ code: FAULTS.invalidRequest.code, message })
}
