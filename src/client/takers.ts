import { FAULTS, type Id, type JsonObject, Told } from '../kernel/index.ts'
import type { OnBehalf } from './on-behalf.ts'
import type { PendingRequests } from './pending.ts'
import type { ServerQuestions } from './questions.ts'
import type { Notification } from './requesting.ts'

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

/** Whoever is found to answer may have left it unanswered, and another may be there. */
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
      if (!(error instanceof LeftUnanswered) || signal.aborted || find() === answer) throw error
    }
  }
}

/** Finds for whom a message is that belongs to a request which was made for somebody else. */
export class Takers {
  readonly #waiting: PendingRequests
  readonly #questions: ServerQuestions

  constructor(waiting: PendingRequests, questions: ServerQuestions) {
    this.#waiting = waiting
    this.#questions = questions
  }

  /** Who answers what is asked with the answer to `during`; where all messages share a way, see below. */
  ofQuestion(during: Id | undefined): OnBehalf['onQuestion'] | undefined {
    const takers = this.#waiting.whose(during)
    return areSeveral(takers) ? UNCLEAR : this.#idlest(takers)?.onQuestion
  }

  /** Who hears a notification; nobody in particular where it may be for one of several. */
  ofNotice({ method }: Notification, during: Id | undefined): OnBehalf | undefined {
    if (!BELONGS.has(method)) return undefined
    const takers = this.#waiting.whose(during)
    return areSeveral(takers) ? undefined : takers.at(-1)
  }

  /** A call that waits for an answer asks nothing else as a rule; of the others, the one that was made last is the likeliest. */
  #idlest(takers: readonly OnBehalf[]): OnBehalf | undefined {
    let [idlest, least] = [takers.at(-1), Number.POSITIVE_INFINITY]
    for (const taker of takers) {
      const open = this.#questions.answeredBy(taker.onQuestion)
      if (open <= least) [idlest, least] = [taker, open]
    }
    return idlest
  }
}

/** What one of them is asked must not be shown to another. */
function areSeveral(takers: readonly OnBehalf[]): boolean {
  if (takers.length < 2) return false
  const [first, ...others] = takers.map(({ whom }) => whom?.())
  return others.some((other) => other !== first)
}

const UNCLEAR: OnBehalf['onQuestion'] = async () => {
  const message =
    'Several callers share this connection, and nobody can be asked a question which does not say whose call it belongs to'
  throw new Told({ code: FAULTS.invalidRequest.code, message })
}
