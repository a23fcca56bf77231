/** Whoever has lived so long has not failed at its start. */
const GOOD_MS = 10_000
const FIRST_MS = 500
const MOST_MS = 30_000

/** How long to wait before another is started: not at all at first, and longer each time that one ends soon. */
export class Backoff {
  readonly #begun = new Map<number, number>()
  readonly #waiting = new Set<NodeJS.Timeout>()
  #failures = 0
  #stopped = false

  get delayMs(): number {
    return this.#failures <= 1 ? 0 : Math.min(MOST_MS, FIRST_MS * 2 ** (this.#failures - 2))
  }

  begun(id: number): void {
    this.#begun.set(id, Date.now())
  }

  ended(id: number): void {
    const begun = this.#begun.get(id)
    this.#begun.delete(id)
    const soon = begun === undefined || Date.now() - begun < GOOD_MS
    this.#failures = soon ? this.#failures + 1 : 1
  }

  after(run: () => void): void {
    if (this.#stopped) return
    const timer = setTimeout(() => {
      this.#waiting.delete(timer)
      run()
    }, this.delayMs)
    this.#waiting.add(timer)
  }

  stop(): void {
    this.#stopped = true
    for (const timer of this.#waiting) clearTimeout(timer)
    this.#waiting.clear()
  }
}
