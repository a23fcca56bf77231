import { LONGEST_MS } from '../kernel/index.ts'

export interface ClockOptions {
  /** How long nothing may be heard; Infinity waits for ever. */
  readonly idleMs: number
  /** How long it may take in all, whatever is heard. */
  readonly totalMs: number
  /** Whether the other side waits for us just now, which is no silence of its own. */
  readonly isPaused: () => boolean
  readonly ring: (afterMs: number) => void
}

/** Rings when nothing has been heard for too long. */
export class Clock {
  readonly #options: ClockOptions
  readonly #started = Date.now()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: ClockOptions) {
    this.#options = options
    this.restart()
  }

  /** Something has been heard. */
  restart(): void {
    this.stop()
    const { idleMs, totalMs } = this.#options
    const waitMs = Math.min(idleMs, totalMs - (Date.now() - this.#started))
    if (waitMs === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(() => this.#wake(), Math.min(Math.max(waitMs, 0), LONGEST_MS))
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #wake(): void {
    const { totalMs, isPaused, ring } = this.#options
    const elapsedMs = Date.now() - this.#started
    if (isPaused() && elapsedMs < totalMs) this.restart()
    else ring(elapsedMs)
  }
}
