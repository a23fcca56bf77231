import { ownerOf } from '../callers/audience.ts'
import type { Fault } from '../faults.ts'
import type { BudgetName, Budgets } from './budgets.ts'
import { roomFault } from './check.ts'
import type { Usage } from './usage.ts'

export interface LedgerOptions<Holder> {
  readonly budgets: Budgets
  readonly usage: Usage
  /** What one may have, and what all may have together. */
  readonly each: BudgetName
  readonly all: BudgetName
  /** A holder who is many, and for whom only the second counts. */
  readonly exempt?: unknown
  /** Where one caller may be several holders: what these may have together. */
  readonly share?: { readonly budget: BudgetName; readonly owner: (holder: Holder) => string }
}

/**
 * What callers make us keep: counted for each of them and for all together, and refused past either budget.
 * @example
 * const { budgets, usage } = server
 * const held = new Ledger<string>({ budgets, usage, each: 'maxSessionsPerCaller', all: 'maxSessions' })
 * held.add('ann', 1)
 */
export class Ledger<Holder> {
  readonly #options: LedgerOptions<Holder>
  readonly #held = new Map<Holder, number>()
  readonly #shares = new Map<string, number>()
  #total = 0

  constructor(options: LedgerOptions<Holder>) {
    this.#options = options
    options.usage.watch(options.all, () => this.#total)
    options.usage.watch(options.each, () => this.#most())
    const { share } = options
    if (share !== undefined) options.usage.watch(share.budget, () => Math.max(0, ...this.#shares.values()))
  }

  get total(): number {
    return this.#total
  }

  of(holder: Holder): number {
    return this.#held.get(holder) ?? 0
  }

  /** Throws a Fault when there is no room. */
  add(holder: Holder, amount: number): void {
    this.check(holder, amount)
    this.count(holder, amount)
  }

  /** Why there is no room for so much more, if there is none. */
  lack(holder: Holder, amount: number): Fault | undefined {
    const { budgets, each, all, exempt } = this.#options
    const own = holder === exempt ? undefined : roomFault({ budgets }, each, this.of(holder) + amount)
    return own ?? this.#lackOfShare(holder, amount) ?? roomFault({ budgets }, all, this.#total + amount)
  }

  /** Throws why there is no room for so much more, where there is none. */
  check(holder: Holder, amount: number): void {
    const lack = this.lack(holder, amount)
    if (lack !== undefined) throw lack
  }

  #lackOfShare(holder: Holder, amount: number): Fault | undefined {
    const { budgets, share } = this.#options
    if (share === undefined) return undefined
    const owner = share.owner(holder)
    if (owner === NOBODY) return undefined
    return roomFault({ budgets }, share.budget, (this.#shares.get(owner) ?? 0) + amount)
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
    const change = amount - this.of(holder)
    this.#total += change
    this.#setShare(this.#options.share?.owner(holder), change)
    if (amount === 0) this.#held.delete(holder)
    else this.#held.set(holder, amount)
  }

  #setShare(owner: string | undefined, change: number): void {
    if (owner === undefined || owner === NOBODY) return
    const amount = (this.#shares.get(owner) ?? 0) + change
    if (amount === 0) this.#shares.delete(owner)
    else this.#shares.set(owner, amount)
  }
}

/** Callers who cannot be told apart have no share, but what there is for all. */
const NOBODY = ownerOf(undefined)
