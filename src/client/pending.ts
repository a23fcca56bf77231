import { type Id, type JsonObject, type Message, Passing } from '../kernel/index.ts'
import { ClientError, ErrorReply } from './errors.ts'
import type { PendingRequest } from './requesting.ts'

/** The requests that have no answer yet. */
export class PendingRequests {
  readonly #waiting = new Passing<Id, PendingRequest>()

  has(id: Id): boolean {
    return this.#waiting.has(id)
  }

  /** Some servers hand the number of a request back as a string, which is no other's. */
  get(id: unknown): PendingRequest | undefined {
    const found = this.#waiting.get(id as Id) // Any other value finds nothing.
    if (found !== undefined || typeof id !== 'string' || String(Number(id)) !== id) return found
    return this.#waiting.get(Number(id))
  }

  get all(): readonly PendingRequest[] {
    return this.#waiting.values()
  }

  /** The only one, where there is one and no more. */
  get only(): PendingRequest | undefined {
    const [first, second] = this.all
    return second === undefined ? first : undefined
  }

  add(request: PendingRequest): void {
    this.#waiting.set(request.id, request)
  }

  /** Nobody waits for it any more. */
  settle(id: unknown): PendingRequest | undefined {
    const waiting = this.get(id)
    if (waiting === undefined) return undefined
    this.#waiting.delete(waiting.id)
    waiting.clock?.stop()
    waiting.leave()
    return waiting
  }

  /** Somebody's request has come further. */
  progress({ progressToken, progress, total, message }: JsonObject): void {
    const waiting = this.get(progressToken)
    if (waiting === undefined || typeof progress !== 'number') return
    waiting.clock?.restart()
    waiting.onProgress?.({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    })
  }

  failAll(error: Error): void {
    for (const { id } of this.all) this.settle(id)?.reject(error)
  }
}

/** Tells whoever waits what was answered. */
export function conclude(
  { method, resolve, reject }: PendingRequest,
  { result, error }: Extract<Message, { kind: 'response' }>,
): void {
  if (result !== undefined) resolve(result)
  else if (error !== undefined) reject(new ErrorReply(error))
  else reject(new ClientError('nonsense', `The server answered ${method} with no result`))
}
