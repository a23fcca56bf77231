/** How long messages are taken up, and how many, before whatever else there is has its turn. */
const [SLICE_MS, SLICE_MESSAGES] = [2, 1000]

/** How long a client waits for those who have said less, for each message that it has said, and at most. */
const [EACH_MS, MOST_MS] = [1, 100]

/** Who goes on, and until when others go before it. */
interface DueClient {
  readonly due: number
  readonly run: () => void
}

/** The time that all connections of one socket have in a turn of the loop, since what each takes alone adds up. */
export class Stretch {
  readonly #now: () => number
  /** By when each is due. */
  readonly #waiting: DueClient[] = []
  #taken = 0
  #since: number | undefined
  #isArmed = false

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether one more may be taken up in this turn. */
  takes(): boolean {
    this.#arm()
    if (++this.#taken === 1) return true // Most turns have no other, and before the first answer Node has no clock to look at.
    this.#since ??= this.#now()
    return this.#taken <= SLICE_MESSAGES && this.#now() - this.#since <= SLICE_MS
  }

  /** Has somebody with so many messages go on in a later turn: who has said little does not wait for all who have said much. */
  goOn(messages: number, run: () => void): void {
    const due = this.#now() + Math.min(MOST_MS, messages * EACH_MS)
    const before = this.#waiting.findLastIndex((one) => one.due <= due)
    this.#waiting.splice(before + 1, 0, { due, run })
    this.#arm()
  }

  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isArmed = false
    this.#since = undefined
    this.#taken = 0
    while (this.#waiting.length > 0 && this.takes()) this.#waiting.shift()?.run()
  }
}
