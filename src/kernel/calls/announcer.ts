import type { Platform } from '../ports/platform.ts'
import type { Listener, ServerChange } from './listener.ts'

/** Listeners that are told in one turn; the others hear in the next ones, and whoever calls meanwhile is answered. */
const SLICE = 200

/** Changes that may wait to be told; for each that comes faster the oldest is told to all, which slows down whoever makes it. */
const MAX_WAITING = 100

interface Announcement {
  readonly change: ServerChange
  listeners: readonly Listener[]
  /** How many of them have been told. */
  told: number
}

/** Tells everybody who listens of what changes, and each of them in the order in which it did. */
export class Announcer {
  readonly #listeners: ReadonlySet<Listener>
  readonly #after: Platform['after']
  readonly #waiting: Announcement[] = []
  /** How many changes there have been, for whoever was not there to hear. */
  told = 0
  /** Tells the other nodes, where there are any. */
  publish: ((change: ServerChange) => void) | undefined

  constructor(listeners: ReadonlySet<Listener>, after: Platform['after']) {
    this.#listeners = listeners
    this.#after = after
  }

  /** Whether anybody would hear. */
  get heard(): boolean {
    return this.#listeners.size > 0 || this.publish !== undefined
  }

  tell(change: ServerChange): void {
    this.publish?.(change)
    this.tellHere(change)
  }

  /** Tells those who listen on this node. */
  tellHere(change: ServerChange): void {
    this.told++
    if (this.#listeners.size === 0) return
    const listeners = [...this.#listeners]
    const same = this.#waiting.find((one) => one.told === 0 && isSame(one.change, change))
    if (same !== undefined) {
      same.listeners = listeners
      return
    }
    const waiting = this.#waiting.push({ change, listeners, told: 0 })
    if (waiting === 1) this.#goOn()
    else if (waiting > MAX_WAITING) this.#tellOldest()
  }

  #goOn(): void {
    try {
      this.#tellSome(SLICE)
    } finally {
      if (this.#waiting.length > 0) this.#after(0, () => this.#goOn())
    }
  }

  #tellOldest(): void {
    const [oldest] = this.#waiting
    if (oldest !== undefined) this.#tellSome(oldest.listeners.length - oldest.told)
  }

  #tellSome(most: number): void {
    let left = most
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const listener = first.listeners[first.told]
      if (listener === undefined) this.#waiting.shift()
      else if (left-- === 0) return
      else {
        first.told++
        // Some have left since.
        if (this.#listeners.has(listener)) listener.tell(first.change)
      }
    }
  }
}

/** What has changed again before anybody was told of it is told once. */
function isSame(one: ServerChange, other: ServerChange): boolean {
  if ('list' in one && 'list' in other) {
    return one.list === other.list && JSON.stringify(one.audiences) === JSON.stringify(other.audiences)
  }
  return (
    'resource' in one && 'resource' in other && one.resource === other.resource && one.link === other.link
  )
}
