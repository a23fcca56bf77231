import { type BudgetName, type Budgets, overBudget, type AuthorServer as Server } from '../../kernel/index.ts'

/** Which tools callers have made on a server, and how much room those take. */
export class ToolLedger {
  readonly #budgets: Budgets
  /** The bytes of each tool by its name, by its owner. */
  readonly #owners = new Map<string, Map<string, number>>()

  constructor({ budgets, usage }: Pick<Server, 'budgets' | 'usage'>) {
    this.#budgets = budgets
    const each = () => [...this.#owners.values()]
    usage.watch('maxTemplates', () => this.#count())
    usage.watch('maxTemplatesPerCaller', () => Math.max(0, ...each().map(({ size }) => size)))
    usage.watch('maxTemplateStoreBytes', () => this.#bytes())
    usage.watch('maxTemplateStorePerCallerBytes', () => Math.max(0, ...each().map(sum)))
  }

  /** Throws an Error that says what there is no room for. */
  checkRoom(owner: string, bytes: number): void {
    this.checkOwn([...(this.#owners.get(owner)?.values() ?? [])], bytes)
    const all = 'The server has no room for more registered tools'
    this.#check('maxTemplates', this.#count() + 1, all)
    this.#check('maxTemplateStoreBytes', this.#bytes() + bytes, all)
  }

  /** The same for what one caller has, of which others may keep a part, too. */
  checkOwn(own: readonly number[], bytes: number): void {
    const yours = 'There is no room for more tools of yours, unregister one first'
    this.#check('maxTemplatesPerCaller', own.length + 1, yours)
    this.#check(
      'maxTemplateStorePerCallerBytes',
      own.reduce((sum, one) => sum + one, bytes),
      yours,
    )
  }

  #check(name: BudgetName, wanted: number, full: string): void {
    const wrong = overBudget({ budgets: this.#budgets }, name, wanted)
    if (wrong !== undefined) throw new Error(`${full}: ${wrong}`)
  }

  enter(owner: string, name: string, bytes: number): void {
    const own = this.#owners.get(owner) ?? new Map<string, number>()
    this.#owners.set(owner, own.set(name, bytes))
  }

  strike(owner: string, name: string): void {
    const own = this.#owners.get(owner)
    own?.delete(name)
    if (own?.size === 0) this.#owners.delete(owner)
  }

  #count(): number {
    let count = 0
    for (const own of this.#owners.values()) count += own.size
    return count
  }

  #bytes(): number {
    let bytes = 0
    for (const own of this.#owners.values()) bytes += sum(own)
    return bytes
  }
}

function sum(own: ReadonlyMap<string, number>): number {
  let bytes = 0
  for (const one of own.values()) bytes += one
  return bytes
}
