import type { LoggedEvent } from './logged-events.ts'

/** How many events are written down at once, and how much of them. */
const TOGETHER = { events: 100, bytes: 256 * 1024 }

/** What the store has yet to be told: an event and how many stay. */
interface UnwrittenEvent {
  readonly event: LoggedEvent
  readonly keep: number
  readonly size: number
}

interface NextWrite {
  /** None where everything is to be forgotten. */
  readonly events: readonly UnwrittenEvent[]
  readonly done: () => void
}

/** What the store has yet to be told of a stream: in its turn, and no more of it than is kept. */
export class UnwrittenEvents {
  /** Undefined for that there is nothing any more. */
  #waiting: (UnwrittenEvent | undefined)[] = []
  /** How many of those the store has been given, and has not taken yet. */
  #given = 0

  get length(): number {
    return this.#waiting.length
  }

  add(event: UnwrittenEvent): void {
    this.#waiting.push(event)
  }

  erase(): void {
    this.#waiting = [undefined]
    this.#given = 0
  }

  /** What has been forgotten before a slow store could be given it is not given any more: so many are kept. */
  skip(kept: number): void {
    const isErased = this.#waiting.length > this.#given && this.#waiting[this.#given] === undefined
    const first = this.#given + (isErased ? 1 : 0)
    const late = this.#waiting.length - first - kept
    if (late > 0) this.#waiting.splice(first, late)
  }

  /** What is given to the store at once, so that an engine is gone to once for all of it. */
  next(): NextWrite {
    const waiting = this.#waiting // There is another one when all of it has been forgotten meanwhile.
    const events: UnwrittenEvent[] = []
    let bytes = 0
    for (const one of waiting.slice(0, TOGETHER.events)) {
      if (one === undefined || (events.length > 0 && bytes + one.size > TOGETHER.bytes)) break
      bytes += one.size
      events.push(one)
    }
    const count = Math.max(events.length, 1)
    this.#given = count
    const done = () => {
      waiting.splice(0, count)
      if (waiting === this.#waiting) this.#given = 0
    }
    return { events, done }
  }
}
