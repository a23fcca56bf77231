/** Takes up one thing in each turn of the loop, so that whoever asks for little does not wait for all who ask for much. */
export class Turns {
  readonly #waiting: (() => void)[] = []

  take(run: () => void): void {
    if (this.#waiting.push(run) === 1) setImmediate(this.#next)
  }

  readonly #next = (): void => {
    const run = this.#waiting.shift()
    if (this.#waiting.length > 0) setImmediate(this.#next) // Before it runs, since it may throw.
    run?.()
  }
}
