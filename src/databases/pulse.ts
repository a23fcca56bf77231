import { clearInterval, setInterval } from 'node:timers' // Those of the platform itself may have no unref.

/** How often an engine is asked whether it is there, and for how long it may leave that without an answer. */
const BEAT_MS = 2000

/** Asks an engine again and again; one that has not answered by the next time is silent, which no socket would tell of. */
export class Pulse {
  readonly #timer: NodeJS.Timeout
  #asked = false

  constructor(ask: () => Promise<unknown>, silent: () => void) {
    this.#timer = setInterval(() => {
      if (this.#asked) return silent()
      this.#asked = true
      const answered = () => {
        this.#asked = false
      }
      // A refusal is an answer; what it means is found out by whoever asks for more.
      ask().then(answered, answered)
    }, BEAT_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** When to try again: soon at first, at least twice a second, and not all who wait at the same moment. */
export function retryDelay(attempt: number): number {
  return Math.min(500, 50 * 2 ** attempt) * (0.5 + Math.random() / 2)
}
