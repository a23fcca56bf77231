import type { Flusher } from './response.ts'

/** How long requests are taken up at a stretch before whatever else there is has its turn. */
export const SLICE_MS = 2

/** Whoever has asked for nothing for so long goes before those who keep asking. */
const QUIET_MS = 10

/** A client whose requests wait: when one was last taken up. */
export interface Scheduled {
  servedAt: number
}

/**
 * What a turn of the loop has no time for, taken up in later ones: who asks for little does not wait for all who ask
 * for much, since those who have been quiet come first.
 */
export class RequestScheduler {
  readonly #flusher: Flusher
  readonly #now: () => number
  readonly #quiet: (() => void)[] = []
  readonly #busy: (() => void)[] = []

  constructor(flusher: Flusher, now: () => number = () => performance.now()) {
    this.#flusher = flusher
    this.#now = now
  }

  wait(client: Scheduled, run: () => void): void {
    const now = this.#now()
    const queue = now - client.servedAt > QUIET_MS ? this.#quiet : this.#busy
    client.servedAt = now
    this.#add(queue, run)
  }

  /** For what is known to be much, whoever asks. */
  waitLast(run: () => void): void {
    this.#add(this.#busy, run)
  }

  #add(queue: (() => void)[], run: () => void): void {
    queue.push(run)
    if (this.#waiting === 1) setImmediate(this.#next)
  }

  get #waiting(): number {
    return this.#quiet.length + this.#busy.length
  }

  /** Those who keep asking are not put off for ever either. */
  readonly #next = (): void => {
    const since = this.#now()
    this.#flusher.busySince = 0
    try {
      while (this.#quiet.length > 0 && this.#now() - since < SLICE_MS) this.#quiet.shift()?.()
      do this.#busy.shift()?.()
      while (this.#busy.length > 0 && this.#now() - since < SLICE_MS)
    } finally {
      if (this.#waiting > 0) setImmediate(this.#next) // What has thrown was the last of this turn.
    }
  }
}
