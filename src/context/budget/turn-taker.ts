import { LARGE, ownTurn } from '../../process/own-turn.ts'

/** Lets others have a turn whenever so much has been worked on that they would wait. */
export class TurnTaker {
  #done = 0

  /** Before a piece of work of so many characters; undefined where nobody has to wait for a turn. */
  before(size: number): Promise<void> | undefined {
    this.#done += size
    if (this.#done <= LARGE) return undefined
    this.#done = size > LARGE ? LARGE : 0
    return ownTurn('next')
  }
}
