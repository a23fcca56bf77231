import type { Platform } from '../../kernel/index.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

export interface HealthOptions {
  readonly name: string
  readonly platform: Pick<Platform, 'now' | 'after'>
  /** Called when it is time to try again. */
  readonly retry: () => void
}

/** Whether an upstream can be reached; while it cannot, it is left alone for longer each time. */
export class Health {
  readonly #options: HealthOptions
  #failures = 0
  #reason = ''
  #nextTry = 0
  #callOff: (() => void) | undefined

  constructor(options: HealthOptions) {
    this.#options = options
  }

  /** Who cannot be reached, why, and when it is tried next; undefined when it is not known to be sick. */
  get trouble(): string | undefined {
    if (this.#callOff === undefined) return undefined
    const seconds = Math.max(1, Math.ceil((this.#nextTry - this.#options.platform.now()) / 1000))
    return `${this.#options.name} cannot be reached (${this.#reason}), next try in ${seconds} s`
  }

  /** Tells how it is now. */
  sick(reason: string): string {
    const { platform, retry } = this.#options
    this.#reason = reason
    if (this.#callOff === undefined) {
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures++, LONGEST_PAUSE_MS)
      this.#nextTry = platform.now() + pauseMs
      this.#callOff = platform.after(pauseMs, () => {
        this.#callOff = undefined
        retry()
      })
    }
    return this.trouble ?? reason
  }

  well(): void {
    this.close()
    this.#failures = 0
  }

  close(): void {
    this.#callOff?.()
    this.#callOff = undefined
  }
}
