/** Long enough for a busy machine; only a test that fails ever waits so long. */
const PATIENCE_MS = 15_000

/** What has arrived and what will: messages are taken in the order in which they came. */
export class Inbox<Message> {
  readonly #arrived: Message[] = []
  #wake: (() => void) | undefined
  #ended = false

  push(message: Message): void {
    this.#arrived.push(message)
    this.#wake?.()
  }

  /** Nothing more will come. */
  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  /** The next message; undefined when the other side has ended. Rejects when nothing comes for too long. */
  async next(patienceMs: number = PATIENCE_MS): Promise<Message | undefined> {
    if (this.#arrived.length === 0 && !this.#ended) await this.#arrival(patienceMs)
    return this.#arrived.shift()
  }

  /** Takes everything that has arrived. */
  takeAll(): readonly Message[] {
    return this.#arrived.splice(0)
  }

  #arrival(patienceMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const clock = setTimeout(() => reject(new Error(`nothing came within ${patienceMs} ms`)), patienceMs)
      this.#wake = () => {
        clearTimeout(clock)
        this.#wake = undefined
        resolve()
      }
    })
  }
}
