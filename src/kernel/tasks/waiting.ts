import type { Platform } from '../platform.ts'

/** How often somebody who waits for a task looks at it, should nobody tell of a change. */
const LOOK_MS = 2000

export interface Pause {
  readonly over: Promise<void>
  readonly end: () => void
}

/** Those who wait for a task to change, by its id. */
export class Waiting {
  readonly #after: Platform['after']
  readonly #wakers = new Map<string, Set<() => void>>()

  constructor({ after }: Platform) {
    this.#after = after
  }

  wake(id: string): void {
    for (const wake of [...(this.#wakers.get(id) ?? [])]) wake()
  }

  /** Over when the task has changed, when the signal is aborted, after a while, or when `end` is called. */
  pause(id: string, signal: AbortSignal): Pause {
    const wakers = this.#wakers.get(id) ?? new Set()
    let end = () => {}
    const over = new Promise<void>((resolve) => {
      const stopClock = this.#after(LOOK_MS, () => end())
      end = () => {
        stopClock()
        signal.removeEventListener('abort', end)
        wakers.delete(end)
        if (wakers.size === 0 && this.#wakers.get(id) === wakers) this.#wakers.delete(id)
        resolve()
      }
      signal.addEventListener('abort', end)
      this.#wakers.set(id, wakers.add(end))
    })
    return { over, end }
  }
}
