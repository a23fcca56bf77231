/** A connection whose calls count among those of all. */
export interface Member {
  /** How many calls of its client are at work. */
  readonly working: number
  /** Takes up what waited for a place. */
  goOn(): void
}

/**
 * The calls at work of all connections of one socket. Where there are too many, further ones wait; a connection that
 * has less than its part of all places does not, since those who have more may never give theirs back.
 */
export class Crowd {
  readonly #most: number
  /** What each had at work when it last told. */
  readonly #members = new Map<Member, number>()
  readonly #waiting = new Set<Member>()
  #working = 0

  constructor(most: number) {
    this.#most = Math.max(1, most) // With none nobody would ever be answered.
  }

  /** How many calls are at work. */
  get working(): number {
    return this.#working
  }

  /** Whether one more call may begin. */
  hasRoom(member: Member): boolean {
    const own = this.tell(member)
    return this.#working < this.#most || own < Math.floor(this.#most / this.#members.size)
  }

  /** Has a connection go on, for which there was no room, when others have ended. */
  wait(member: Member): void {
    this.#waiting.add(member)
  }

  /** Notes how many calls a connection has at work, and gives it. Who was to go on and has taken nothing up leaves its place to the next. */
  tell(member: Member): number {
    const { working } = member
    const more = working - (this.#members.get(member) ?? 0)
    this.#members.set(member, working)
    this.#working += more
    if (this.#working < this.#most) this.#wake(Math.max(1, -more))
    return working
  }

  leave(member: Member): void {
    this.#working -= this.#members.get(member) ?? 0
    this.#members.delete(member)
    this.#waiting.delete(member)
    this.#wake(this.#waiting.size) // With one less, each has a larger part.
  }

  #wake(places: number): void {
    let left = places
    for (const member of this.#waiting) {
      if (left-- <= 0) return
      this.#waiting.delete(member)
      member.goOn()
    }
  }
}
