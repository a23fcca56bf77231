import { type Id, Passing } from '../kernel/index.ts'
import type { OnBehalf } from './on-behalf.ts'
import type { PendingRequest } from './requesting.ts'

/** The requests that have no answer yet. */
export class PendingRequests {
  readonly #waiting = new Passing<Id, PendingRequest>()

  has(id: Id): boolean {
    return this.#waiting.has(id)
  }

  get(id: unknown): PendingRequest | undefined {
    return this.#waiting.get(id as Id) // Any other value finds nothing.
  }

  add(request: PendingRequest): void {
    this.#waiting.set(request.id, request)
  }

  /** Nobody waits for it any more. */
  settle(id: Id): PendingRequest | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    waiting?.clock?.stop()
    waiting?.leave()
    return waiting
  }

  failAll(error: Error): void {
    for (const { id } of this.#waiting.values()) this.settle(id)?.reject(error)
  }

  /** Whom a message is for that came with the answer to `during`; where all messages share a way, for whoever asked last. */
  whose(during: Id | undefined): OnBehalf | undefined {
    if (during !== undefined) return this.#waiting.get(during)?.exchange
    let last: OnBehalf | undefined
    for (const { exchange } of this.#waiting.values()) last = exchange ?? last
    return last
  }
}
