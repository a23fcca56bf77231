import { ClientError } from '../errors.ts'
import type { MessageLimits } from '../intake.ts'
import { brokenOff } from '../no-answer.ts'
import type { Ear, HeaderMap } from '../wire.ts'
import { type FetchedAnswer, wordsOf } from './fetching.ts'
import { isForgotten } from './is-forgotten.ts'
import { isBusy } from './retrying.ts'
import { StreamPlace } from './stream-place.ts'

export interface SessionStreamOptions extends MessageLimits {
  readonly ear: Ear
  readonly get: (headers: HeaderMap, signal: AbortSignal) => Promise<FetchedAnswer>
  /** How often it may give nothing in a row before that is told. */
  readonly maxReconnects: number
  /** Whether there is a session which one server keeps, so that no other is come back to. */
  readonly isKept: boolean
  /** The server does not know its session any more. */
  readonly forgotten: () => void
}

/** The stream of what belongs to no request, come back to for as long as its session is used; a server need not have one. */
export class SessionStream {
  readonly #options: SessionStreamOptions
  readonly #stop = new AbortController()
  readonly #place = new StreamPlace()
  #isThere = false
  /** Settles when it has begun, or will not. */
  readonly begun: Promise<unknown>
  /** What the server can tell something by, another where some may have been missed. */
  current: object | undefined = {}

  constructor(options: SessionStreamOptions) {
    this.#options = options
    const first = this.#get()
    this.begun = first.catch(() => {}) // What is wrong with it is told below.
    this.#stay(first).catch((error: unknown) => {
      if (this.#stop.signal.aborted) return
      this.current = undefined
      if (this.#isGone(error)) options.forgotten()
      else if (!isNone(error)) options.ear.warn(wordsOf(error))
    })
  }

  close(): void {
    this.#stop.abort()
  }

  #get(): Promise<FetchedAnswer> {
    return this.#options.get(this.#place.headers, this.#stop.signal)
  }

  async #stay(first: Promise<FetchedAnswer>): Promise<void> {
    const { ear, maxReconnects, isKept } = this.#options
    const { signal } = this.#stop
    for (let next = first; ; next = this.#get()) {
      const cause = await this.#hear(next).catch((error: unknown) => this.#checkAgain(error))
      if (!this.#place.isKept || !isKept) this.current = undefined // What is told now is missed.
      if (this.#place.tries === maxReconnects) ear.warn(brokenOff(maxReconnects, cause))
      await this.#place.rest(signal)
    }
  }

  async #hear(next: Promise<FetchedAnswer>): Promise<undefined> {
    const { ear } = this.#options
    const { signal } = this.#stop
    const response = await next
    this.#isThere = true
    this.current ??= {}
    const hear = (text: string) => ear.hear(text)
    await this.#place.hear(response, { hear, limits: this.#options, signal, done: () => signal.aborted })
  }

  /** Throws what no other time would mend: whoever has no stream at all may say so in many ways. */
  #checkAgain(error: unknown): Error {
    this.#stop.signal.throwIfAborted()
    const { status } = error instanceof ClientError ? error.details : {}
    const isRefused = status !== undefined && !this.#isThere && !isBusy(status)
    if (isRefused || isNone(error) || this.#isGone(error)) throw error
    return error as Error
  }

  /** Where it was never there, the next request finds out whether the session is gone. */
  #isGone(error: unknown): boolean {
    return this.#isThere && isForgotten(error)
  }
}

function isNone(error: unknown): boolean {
  return error instanceof ClientError && error.details.status === 405
}
