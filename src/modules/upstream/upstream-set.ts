import type { Link, RelayedServer, Server } from '../../kernel/index.ts'
import { checkListedNames } from './listed-names.ts'
import type { ConfiguredUpstream } from './names.ts'
import type { NamedUpstreams, UpstreamOptions } from './options.ts'
import { type Sibling, siblingsOf } from './siblings.ts'
import { Upstream } from './upstream.ts'
import { within } from './within.ts'

/** How long a server waits for its upstreams before it serves its first client. */
const START_MS = 2000

/** Gives upstreams that are as they have to be, also beside those of other modules; throws where there are none such. */
export type ReadUpstreams = (others: readonly ConfiguredUpstream[]) => NamedUpstreams

export interface SetOptions {
  readonly read: ReadUpstreams
  /** Whether a server does not start where what they list cannot all be served. */
  readonly strict?: boolean | undefined
}

interface SetEntry {
  readonly options: UpstreamOptions
  readonly upstream: Upstream
}

/** The upstreams of one module, which may become others while they are served. */
export class UpstreamSet {
  readonly #server: Server
  readonly #read: ReadUpstreams
  readonly #strict: boolean
  readonly #entries = new Map<string, SetEntry>()
  readonly #retiring = new Set<Upstream>()
  #isClosed = false
  #changing: Promise<unknown> = Promise.resolve()

  constructor(server: Server, { read, strict = false }: SetOptions) {
    this.#server = server
    this.#read = read
    this.#strict = strict
  }

  /** Begins to look at all of them. */
  open(): void {
    const made = this.#make(Object.entries(this.#read(this.#others())))
    for (const [name, entry] of made) this.#entries.set(name, entry)
    for (const [, { upstream }] of made) upstream.join()
    for (const [, { upstream }] of made) upstream.open()
  }

  /** Serves what is known when all have been looked at, or when they have had their time, so that they stand in their order. */
  async ready(): Promise<void> {
    await this.#looked([...siblingsOf(this.#server)])
    if (this.#strict) checkListedNames(this.#server)
    for (const { upstream } of this.#entries.values()) upstream.start()
  }

  /** Has what is read now in the place of those there are; whoever is among both stays as it is. Tells what has become other. */
  change(): Promise<readonly string[]> {
    const changed = this.#changing.then(() => this.#change())
    this.#changing = changed.catch(() => {}) // Whoever wanted it is told.
    return changed
  }

  left(link: Link): void {
    for (const { upstream } of this.#entries.values()) upstream.left(link)
    for (const upstream of this.#retiring) upstream.left(link)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const all = [...[...this.#entries.values()].map(({ upstream }) => upstream), ...this.#retiring]
    this.#entries.clear()
    await Promise.all(all.map((upstream) => upstream.close()))
  }

  async #change(): Promise<readonly string[]> {
    if (this.#isClosed) return []
    const all = this.#read(this.#others())
    const gone = [...this.#entries].filter(([name, { options }]) => !isSame(options, all[name]))
    const come = Object.entries(all).filter(
      ([name, options]) => !isSame(options, this.#entries.get(name)?.options),
    )
    const made = this.#make(come)
    for (const [, { upstream }] of made) upstream.open()
    await this.#looked(made.map(([, { upstream }]) => upstream))
    if (this.#isClosed) {
      await Promise.all(made.map(([, { upstream }]) => upstream.close()))
      return []
    }
    for (const [name, { upstream }] of gone) this.#retire(name, upstream)
    for (const [name, entry] of made) this.#entries.set(name, entry)
    for (const [, { upstream }] of made) upstream.join()
    this.#order(Object.keys(all))
    for (const [, { upstream }] of made) upstream.start()
    // With one more or one less, names may be free or have to be told apart, and others come before.
    for (const sibling of siblingsOf(this.#server)) sibling.offers.review()
    return [
      ...come.map(([name]) =>
        gone.some(([other]) => other === name) ? `${name} has changed` : `${name} is new`,
      ),
      ...gone.filter(([name]) => !Object.hasOwn(all, name)).map(([name]) => `${name} is gone`),
    ]
  }

  /** Those that have come are in their place among those that have stayed. */
  #order(names: readonly string[]): void {
    const siblings = siblingsOf(this.#server)
    for (const name of names) {
      const upstream = this.#entries.get(name)?.upstream
      if (upstream !== undefined && siblings.delete(upstream)) siblings.add(upstream)
    }
  }

  /** Those of other modules. */
  #others(): readonly Sibling[] {
    const own = new Set<Sibling>([...this.#entries.values()].map(({ upstream }) => upstream))
    return [...siblingsOf(this.#server)].filter((one) => !own.has(one))
  }

  /** All of them or none. */
  #make(named: readonly (readonly [string, UpstreamOptions])[]): readonly (readonly [string, SetEntry])[] {
    const made: (readonly [string, SetEntry])[] = []
    try {
      for (const [name, options] of named) {
        made.push([name, { options, upstream: new Upstream(name, options, this.#server) }])
      }
    } catch (error) {
      for (const [, { upstream }] of made) void upstream.close()
      throw error
    }
    return made
  }

  #looked(upstreams: readonly RelayedServer[]): Promise<unknown> {
    return within(START_MS, Promise.all(upstreams.map(({ looked }) => looked)), this.#server)
  }

  #retire(name: string, upstream: Upstream): void {
    this.#entries.delete(name)
    this.#retiring.add(upstream)
    void upstream
      .retire()
      .catch((error: unknown) => this.#server.observe({ kind: 'crashed', error, method: `close (${name})` }))
      .finally(() => this.#retiring.delete(upstream))
  }
}

/** Of what is no text, such as a server of this program, only the very same is the same. */
function isSame(one: UpstreamOptions, other: UpstreamOptions | undefined): boolean {
  if (other === undefined) return false
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof UpstreamOptions>
  return [...keys].every((key) => {
    if (one[key] === other[key]) return true
    if (key === 'server' || typeof one[key] === 'function') return false
    return JSON.stringify(one[key]) === JSON.stringify(other[key])
  })
}
