import type { BudgetName } from './budgets.ts'

/**
 * How much of each budget is used: read when asked for, or the most that was ever seen.
 * @example const sessionsNow = (usage: Usage) => usage.read('maxSessions')
 */
export class Usage {
  readonly #readers = new Map<BudgetName, Set<() => number>>()
  readonly #most = new Map<BudgetName, number>()

  /** Has `read` asked for what is in use, until the function given back is called. */
  watch(name: BudgetName, read: () => number): () => void {
    const readers = this.#readers.get(name) ?? new Set()
    this.#readers.set(name, readers.add(read))
    return () => void readers.delete(read)
  }

  /** The same for several, which are let go together. */
  watchAll(readers: { readonly [Name in BudgetName]?: () => number }): () => void {
    const names = Object.keys(readers) as BudgetName[] // There are no others.
    const stops = names.flatMap((name) =>
      readers[name] === undefined ? [] : [this.watch(name, readers[name])],
    )
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** For what comes and goes too fast to be watched, such as the size of a body. */
  saw(name: BudgetName, value: number): void {
    if (value > (this.#most.get(name) ?? 0)) this.#most.set(name, value)
  }

  read(name: BudgetName): number {
    let sum = 0
    for (const read of this.#readers.get(name) ?? []) sum += read()
    return Math.max(sum, this.#most.get(name) ?? 0)
  }
}
