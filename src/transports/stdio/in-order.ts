import type { Outgoing } from '../../kernel/index.ts'

type Answer = Outgoing | undefined

interface Place {
  answer: Answer
  settled: boolean
}

/** Answers that leave in the order of their calls, however long each of them takes. */
export class InOrder {
  readonly #leave: (answer: Answer) => void
  readonly #places: Place[] = []

  constructor(leave: (answer: Answer) => void) {
    this.#leave = leave
  }

  /** How many answers have not left. */
  get size(): number {
    return this.#places.length
  }

  add(answer: Answer | Promise<Answer>): void {
    if (!(answer instanceof Promise) && this.#places.length === 0) return this.#leave(answer)
    const place: Place = { answer: undefined, settled: false }
    this.#places.push(place)
    if (answer instanceof Promise) void answer.then((settled) => this.#settle(place, settled))
    else this.#settle(place, answer)
  }

  #settle(place: Place, answer: Answer): void {
    place.answer = answer
    place.settled = true
    for (let first = this.#places[0]; first?.settled === true; first = this.#places[0]) {
      this.#places.shift()
      this.#leave(first.answer)
    }
  }
}
