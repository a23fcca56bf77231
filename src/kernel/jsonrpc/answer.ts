import type { Id, Reply, Result, WireError } from './message.ts'

/** Whoever answers a request, and is told if the answer turns out to be no JSON. */
export interface ReplyMaker {
  readonly id: Id
  unprintable(error: unknown): void
}

export function answerResult(by: ReplyMaker, result: Result): Reply {
  const answer = new Answer(by)
  answer.result = result
  return answer as Reply // It has the one of the two.
}

export function answerError(by: ReplyMaker, error: WireError): Reply {
  const answer = new Answer(by)
  answer.error = error
  return answer as Reply // It has the one of the two.
}

/** Tells whoever has made an answer that it cannot be printed. */
export function tellUnprintable(reply: Reply, error: unknown): void {
  Answer.tell(reply, error)
}

/** A reply that knows whose it is: a private member is neither printed nor compared, and costs less than a map. */
class Answer {
  readonly jsonrpc = '2.0'
  readonly id: Id
  declare result?: Result
  declare error?: WireError
  #by: ReplyMaker | undefined

  constructor(by: ReplyMaker) {
    this.id = by.id
    this.#by = by
  }

  static tell(reply: object, error: unknown): void {
    if (!(#by in reply)) return
    const by = reply.#by
    reply.#by = undefined // Whoever looks on prints it, too.
    by?.unprintable(error)
  }
}
