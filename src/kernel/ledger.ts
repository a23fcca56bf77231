import type { BudgetName, Budgets, Usage } from './budgets.ts'
import { roomFault } from './check/budget.ts'
import type { Fault } from './faults.ts'

export interface LedgerOptions {
  readonly budgets: Budgets
  readonly usage: Usage
  /** What one may have, and what all may have together. */
  readonly each: BudgetName
  readonly all: BudgetName
  /** A holder who is many, and for whom only the second counts. */
  readonly exempt?: unknown
}

/** What callers make us keep: counted for each of them and for all together, and refused past either budget. */
export class Ledger<Holder> {
  readonly #options: LedgerOptions
  readonly #held = new Map<Holder, number>()
  #total = 0

  constructor(options: LedgerOptions) {
    this.#options = options
    options.usage.watch(options.all, () => this.#total)
    options.usage.watch(options.each, () => this.#most())
  }

  get total(): number {
    return this.#total
  }

  of(holder: Holder): number {
    return this.#held.get(holder) ?? 0
  }

  /** Throws a Fault when there is no room. */
  add(holder: Holder, amount: number): void {
    const lack = this.lack(holder, amount)
    if (lack !== undefined) throw lack
    this.count(holder, amount)
  }

  /** Why there is no room for so much more, if there is none. */
  lack(holder: Holder, amount: number): Fault | undefined {
    const { budgets, each, all, exempt } = this.#options
    const own = holder === exempt ? undefined : roomFault({ budgets }, each, this.of(holder) + amount)
    return own ?? roomFault({ budgets }, all, this.#total + amount)
  }

  /** Adds what is there anyway. */
  count(holder: Holder, amount: number): void {
    this.#set(holder, this.of(holder) + amount)
  }

  /** Gives back some, or all that the holder has. */
  remove(holder: Holder, amount = this.of(holder)): void {
    this.#set(holder, Math.max(0, this.of(holder) - amount))
  }

  #most(): number {
    let most = 0
    for (const [holder, amount] of this.#held)
      if (holder !== this.#options.exempt) most = Math.max(most, amount)
    return most
  }

  #set(holder: Holder, amount: number): void {
    this.#total += amount - this.of(holder)
    if (amount === 0) this.#held.delete(holder)
    else this.#held.set(holder, amount)
  }
}
