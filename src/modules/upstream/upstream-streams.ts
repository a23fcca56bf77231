import { ownerOf, roomFault, type Server } from '../../kernel/index.ts'

/** Callers who cannot be told apart have no share, but what there is for all. */
const NOBODY = ownerOf(undefined)

/** The requests that stay open at one upstream for what clients have subscribed to: each may be a connection. */
export class UpstreamStreams {
  readonly #server: Pick<Server, 'budgets' | 'usage'>
  readonly #byOwner = new Map<string, number>()
  /** Nobody reads any more how many there are. */
  readonly close: () => void

  constructor(server: Pick<Server, 'budgets' | 'usage'>) {
    this.#server = server
    const known = () => [...this.#byOwner].flatMap(([owner, count]) => (owner === NOBODY ? [] : [count]))
    this.close = server.usage.watchAll({
      maxUpstreamStreams: () => this.#total,
      maxUpstreamStreamsPerCaller: () => Math.max(0, ...known()),
    })
  }

  /** One more for a caller, until the function given back is called; throws a Fault where there is no room. */
  open(owner: string): () => void {
    const wanted = this.#of(owner) + 1
    const own = owner === NOBODY ? undefined : roomFault(this.#server, 'maxUpstreamStreamsPerCaller', wanted)
    const lack = own ?? roomFault(this.#server, 'maxUpstreamStreams', this.#total + 1)
    if (lack !== undefined) throw lack
    this.#byOwner.set(owner, wanted)
    let isOpen = true
    return () => {
      if (isOpen) this.#end(owner)
      isOpen = false
    }
  }

  #end(owner: string): void {
    const left = this.#of(owner) - 1
    if (left > 0) this.#byOwner.set(owner, left)
    else this.#byOwner.delete(owner)
  }

  #of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0
  }

  get #total(): number {
    return [...this.#byOwner.values()].reduce((sum, count) => sum + count, 0)
  }
}
