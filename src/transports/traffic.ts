/** A client that sends: what has come of its requests so far can be let go. */
export interface Inbound {
  /** How many bytes have come and are not a message yet. */
  arriving: number
  /** Whether any of it has yet to become a message. */
  readonly sends: boolean
  /** Turns the client away. */
  shed(): void
}

/** An answer or a stream that a client has yet to take. */
export interface Outbound {
  /** How many bytes the client has not taken yet. */
  readonly unread: number
  /** Breaks the connection. */
  destroy(): void
}

export interface TrafficLimits {
  readonly maxArrivingBytes: number
  readonly maxUnsentBytes: number
}

/** Less than this of one client is not worth turning it away for while others have sent more. */
const HEAVY = 4 * 1024

/** What is larger is counted from the moment at which it is written, and not only once its client is slow. */
export const LARGE = 64 * 1024

/** What has been written in one go cannot have been read yet, so a reader gets this long. */
const MOMENT_MS = 1_000

interface Owed {
  bytes: number
  readonly since: number
}

/** The bytes of a server that are on their way, in all; when they are too many, those who have been at it longest go. */
export class Traffic {
  readonly #limits: TrafficLimits
  readonly #now: () => number
  #arriving = 0
  readonly #heavy = new Set<Inbound>()
  /** Who has sent a part of a body, however small. */
  readonly #light = new Set<Inbound>()
  /** Counted when written, so that it is never less than what is really there. */
  #unsent = 0
  readonly #owed = new Map<Outbound, Owed>()

  constructor(limits: TrafficLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  get arriving(): number {
    return this.#arriving
  }

  get unsent(): number {
    this.#recount()
    return this.#unsent
  }

  /** Whether so much waits to be taken that nothing should be added to it. */
  get full(): boolean {
    return this.#unsent >= this.#limits.maxUnsentBytes && !this.#relieve()
  }

  /** A part of a body has come. */
  arrive(inbound: Inbound, bytes: number): void {
    this.#light.add(inbound)
    this.keep(inbound, bytes)
  }

  /** The head of a request is kept until its answer: most have come whole, and nobody is turned away for those. */
  keep(inbound: Inbound, bytes: number): void {
    inbound.arriving += bytes
    this.#arriving += bytes
    if (inbound.arriving > HEAVY) this.#heavy.add(inbound)
    this.#turnAway()
  }

  /** Where it is too much, those who have been at it longest go, but before them one who has taken a good part of all; after them whoever sends. */
  #turnAway(): void {
    const { maxArrivingBytes } = this.#limits
    for (const oldest of this.#heavy) {
      if (this.#arriving <= maxArrivingBytes) return
      const largest = this.#largest()
      const leaving = largest.arriving > maxArrivingBytes / 4 ? largest : oldest
      this.#heavy.delete(leaving)
      leaving.shed()
    }
    for (const oldest of this.#light) {
      if (this.#arriving <= maxArrivingBytes) return
      this.#light.delete(oldest) // What it sends next brings it back.
      if (oldest.sends) oldest.shed()
    }
  }

  #largest(): Inbound {
    return [...this.#heavy].reduce((one, other) => (other.arriving > one.arriving ? other : one))
  }

  /** What has arrived is a message now, or has been let go. */
  taken(inbound: Inbound, bytes: number = inbound.arriving): void {
    inbound.arriving -= bytes
    this.#arriving -= bytes
    if (inbound.arriving <= HEAVY) this.#heavy.delete(inbound)
    if (inbound.arriving === 0) this.#light.delete(inbound)
  }

  owe(outbound: Outbound): void {
    const owed = this.#owed.get(outbound)
    const bytes = outbound.unread
    this.#unsent += bytes - (owed?.bytes ?? 0)
    if (owed === undefined) this.#owed.set(outbound, { bytes, since: this.#now() })
    else owed.bytes = bytes
    if (this.#unsent > this.#limits.maxUnsentBytes) this.#relieve()
  }

  /** The client has taken it, or has left. */
  settle(outbound: Outbound): void {
    this.#unsent -= this.#owed.get(outbound)?.bytes ?? 0
    this.#owed.delete(outbound)
  }

  /** Drops readers that have had their moment, the slowest first, until there is room; tells whether there is. */
  #relieve(): boolean {
    this.#recount()
    for (const [outbound, { since }] of this.#owed) {
      if (this.#unsent < this.#limits.maxUnsentBytes) return true
      if (this.#now() - since < MOMENT_MS) break
      this.settle(outbound)
      outbound.destroy()
    }
    return this.#unsent < this.#limits.maxUnsentBytes
  }

  #recount(): void {
    this.#unsent = 0
    for (const [outbound, owed] of this.#owed) {
      owed.bytes = outbound.unread
      this.#unsent += owed.bytes
    }
  }
}
