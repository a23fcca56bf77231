import type { Budgets, AuthorServer as Server } from '../../kernel/index.ts'

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
    const { maxTemplates, maxTemplatesPerCaller, maxTemplateStoreBytes, maxTemplateStorePerCallerBytes } =
      this.#budgets
    const own = this.#owners.get(owner) ?? NONE
    if (own.size >= maxTemplatesPerCaller) {
      throw new Error(`You have registered ${own.size} tools, which is all you may: unregister one first`)
    }
    if (sum(own) + bytes > maxTemplateStorePerCallerBytes) {
      throw new Error(
        `Your tools would take more than ${maxTemplateStorePerCallerBytes} bytes: unregister one first`,
      )
    }
    const full = 'The server has no room for more registered tools'
    if (this.#count() >= maxTemplates) throw new Error(`${full} (--max-templates)`)
    if (this.#bytes() + bytes > maxTemplateStoreBytes) throw new Error(`${full} (--max-template-store)`)
  }

  has(owner: string, name: string): boolean {
    return this.#owners.get(owner)?.has(name) === true
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

const NONE: ReadonlyMap<string, number> = new Map()

function sum(own: ReadonlyMap<string, number>): number {
  let bytes = 0
  for (const one of own.values()) bytes += one
  return bytes
}
