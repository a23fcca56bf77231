interface Slot {
  text: string | undefined
  settled: boolean
}

export interface InOrderOptions<Answer> {
  /** Called as soon as an answer is there. */
  readonly print: (answer: Answer) => string | undefined
  /** Called when its turn has come. */
  readonly leave: (text: string | undefined) => void
}

/** Answers that leave in the order of their calls, however long each of them takes. */
export class InOrder<Answer> {
  readonly #options: InOrderOptions<Answer>
  readonly #places: Slot[] = []
  #length = 0

  constructor(options: InOrderOptions<Answer>) {
    this.#options = options
  }

  /** How many answers have not left. */
  get size(): number {
    return this.#places.length
  }

  /** How long those are together that are there and have not left. */
  get length(): number {
    return this.#length
  }

  /** Keeps a place for an answer; the function given back fills it. */
  reserve(): (answer: Answer) => void {
    const place: Slot = { text: undefined, settled: false }
    this.#places.push(place)
    return (answer) => this.#settle(place, answer)
  }

  #settle(place: Slot, answer: Answer): void {
    place.text = this.#options.print(answer)
    place.settled = true
    this.#length += place.text?.length ?? 0
    for (let first = this.#places[0]; first?.settled === true; first = this.#places[0]) {
      this.#places.shift()
      this.#length -= first.text?.length ?? 0
      this.#options.leave(first.text)
    }
  }
}
