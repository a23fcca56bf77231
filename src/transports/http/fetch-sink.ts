import { LARGE } from '../traffic.ts'
import type { BodySink, StreamWatch } from './exchange.ts'

/** As much as may wait to be read before we are asked for more. */
const HIGH_WATER = 64 * 1024

const ENCODER = new TextEncoder()

/** The body of a `Response` that goes on being written. */
export class FetchSink implements BodySink {
  readonly readable: ReadableStream<Uint8Array>
  readonly #watch: StreamWatch | undefined
  readonly #controller: ReadableStreamDefaultController<Uint8Array>
  #open = true
  #waiting: (() => void)[] = []

  /** Calls `leave` when its reader has left. */
  constructor(leave: () => void, watch?: StreamWatch) {
    this.#watch = watch
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (given) => {
          controller = given
        },
        pull: () => this.#pull(),
        cancel: () => {
          this.#open = false
          leave()
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER }),
    )
    this.#controller = controller as unknown as ReadableStreamDefaultController<Uint8Array> // It starts at once.
  }

  get unread(): number {
    return this.#open ? HIGH_WATER - (this.#controller.desiredSize ?? HIGH_WATER) : 0
  }

  write(text: string): void {
    if (!this.#open) return
    const before = this.unread
    this.#controller.enqueue(ENCODER.encode(text))
    if (this.unread > LARGE) this.#watch?.crowded(before)
  }

  drained(run: () => void): void {
    const room = this.#controller.desiredSize
    if (room === null || room > 0) run()
    else this.#waiting.push(run)
  }

  end(text?: string): void {
    if (text !== undefined) this.write(text)
    if (!this.#open) return
    this.#controller.close()
    this.#watch?.ended()
    this.#open = false
  }

  destroy(): void {
    if (this.#open) this.#controller.error(new Error('The stream was dropped'))
    this.#open = false
  }

  #pull(): void {
    const ready = this.#waiting
    this.#waiting = []
    for (const run of ready) run()
  }
}
