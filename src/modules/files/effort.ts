import { ownTurn } from '../../process/own-turn.ts'

/** After so many steps others have a turn; they take some milliseconds. */
const TURN = 250_000

/** A page that has cost so many is given as it is, some seconds after it was asked for. */
const MOST = 500_000_000

/** What a walk costs beside the reading: whoever writes rules and names decides about that. */
export class Effort {
  #steps = 0
  #next = TURN
  /** Where rules stand that were not all read. */
  readonly unread = new Set<string>()

  count(steps: number): void {
    this.#steps += steps
  }

  /** Whether others have waited long enough. */
  get isLong(): boolean {
    return this.#steps >= this.#next
  }

  get isSpent(): boolean {
    return this.#steps >= MOST
  }

  async rest(): Promise<void> {
    await ownTurn()
    this.#next = this.#steps + TURN
  }
}
