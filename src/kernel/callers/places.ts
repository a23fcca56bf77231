import { ownerOf } from './audience.ts'

/** Who wants a place, and how many there are. */
export interface PlaceWish {
  readonly owner: string
  readonly most: number
  /** Whoever is called off waits no longer. */
  readonly signal?: AbortSignal | undefined
}

interface WaitingWish extends PlaceWish {
  readonly enter: () => void
  readonly refuse: (reason: unknown) => void
}

/** Callers that cannot be told apart: they are many, and have what there is. */
const UNKNOWN = ownerOf(undefined)

/**
 * FairPlaces that callers take in turn: the next one goes to whoever has fewest and, of those, has waited longest. The last
 * one goes to a caller who has none, so that nobody waits for all that another has begun.
 * @example
 * const places = new FairPlaces()
 * await places.enter({ owner: call.owner, most: 8, signal: call.signal })
 * places.leave(call.owner)
 */
export class FairPlaces {
  readonly #held = new Map<string, number>()
  readonly #waiting = new Set<WaitingWish>()
  #inside = 0

  /** How many are taken. */
  get inside(): number {
    return this.#inside
  }

  /** How many wait for one. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Whether nobody has more, and somebody waits who has fewer. */
  hasMost(owner: string): boolean {
    const held = this.#heldBy(owner)
    for (const others of this.#held.values()) if (others > held) return false
    for (const one of this.#waiting) if (this.#heldBy(one.owner) < held) return true
    return false
  }

  /** Takes a place: at once where there is one, and else when it resolves. */
  enter(wish: PlaceWish): Promise<void> | undefined {
    if (this.#hasPlace(wish)) return this.#take(wish.owner)
    return new Promise((resolve, reject) => {
      const giveUp = () => one.refuse(wish.signal?.reason)
      const leave = () => {
        this.#waiting.delete(one)
        wish.signal?.removeEventListener('abort', giveUp)
      }
      const one: WaitingWish = {
        ...wish,
        enter: () => {
          leave()
          this.#take(wish.owner)
          resolve()
        },
        refuse: (reason) => {
          leave()
          reject(reason as Error) // As it was given.
        },
      }
      this.#waiting.add(one)
      if (wish.signal?.aborted === true) giveUp()
      else wish.signal?.addEventListener('abort', giveUp)
    })
  }

  leave(owner: string): void {
    this.#inside--
    const left = this.#heldBy(owner) - 1
    if (left === 0) this.#held.delete(owner)
    else this.#held.set(owner, left)
    this.#next()?.enter()
  }

  /** Sends everybody away who waits. */
  refuse(reason: Error): void {
    for (const one of [...this.#waiting]) one.refuse(reason)
  }

  #take(owner: string): undefined {
    this.#inside++
    this.#held.set(owner, this.#heldBy(owner) + 1)
  }

  #next(): WaitingWish | undefined {
    let next: WaitingWish | undefined
    for (const one of this.#waiting)
      if (this.#hasPlace(one) && (next === undefined || this.#heldBy(one.owner) < this.#heldBy(next.owner)))
        next = one
    return next
  }

  #hasPlace({ owner, most }: PlaceWish): boolean {
    const needed = owner === UNKNOWN || this.#heldBy(owner) === 0 ? 1 : 2
    return this.#inside + needed <= most
  }

  #heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0
  }
}
