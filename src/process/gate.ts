import { type BudgetName, type AuthorCall as Call, FairPlaces, type PlaceWish } from '../kernel/index.ts'

/** Lets so many be at work at once; whoever comes later waits for its turn, unless it gives up. */
export class Gate {
  readonly #places = new FairPlaces()

  get inside(): number {
    return this.#places.inside
  }

  async pass<T>(wish: PlaceWish, work: () => Promise<T>): Promise<T> {
    const coming = this.#places.enter(wish)
    if (coming !== undefined) await coming
    try {
      return await work()
    } finally {
      // What was made leaves first: it takes as much room as what is made next.
      setImmediate(() => this.#places.leave(wish.owner))
    }
  }
}

interface GateRoom {
  readonly call: Call | undefined
  /** How much there is in all. */
  readonly budget: BudgetName
  /** How much of it one takes. */
  readonly each: number
}

/** Works when there is room for one more. */
export function whenRoom<T>(gate: Gate, room: GateRoom, work: () => Promise<T>): Promise<T> {
  const { call, budget, each } = room
  if (call === undefined) return work() // Where nobody calls, nothing is bounded.
  const { budgets, usage } = call.server
  const counted = () => {
    usage.saw(budget, gate.inside * each)
    return work()
  }
  const most = Math.max(1, Math.floor(budgets[budget] / each))
  return gate.pass({ owner: call.owner, most, signal: call.signal }, counted)
}
