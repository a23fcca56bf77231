import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ChangedTool, JsonObject, Server } from '../../../kernel/index.ts'
import { forEachInTurns } from '../listing.ts'
import { Notes, toldOf } from '../notes.ts'
import { approve, differing, hashOf, type PinnedTools, see, standingOf, toolsOf } from './pin-book.ts'
import { type BookReader, SharedBook } from './shared-book.ts'

export interface PinsOptions {
  readonly upstream: string
  readonly server: Pick<Server, 'platform' | 'budgets' | 'usage'>
  readonly note: (message: string) => void
  /** Told when something has been approved. */
  readonly changed: () => void
}

/** The approved tools of one upstream, in a file which other upstreams and servers and the command that approves may use at once. */
export class Pins {
  readonly #path: string
  readonly #options: PinsOptions
  readonly #stopWatch: () => void
  readonly #reader: BookReader
  readonly #book: SharedBook
  readonly #notes: Notes
  #own: PinnedTools

  /** Throws where there is a file that cannot be read. */
  constructor(path: string, options: PinsOptions) {
    this.#path = resolve(path)
    this.#options = options
    const { upstream, server, note } = options
    this.#notes = new Notes(upstream, note, toldOf(server, upstream))
    this.#reader = { ...options, take: this.#take }
    this.#book = SharedBook.join(this.#path, this.#reader)
    this.#own = this.#book.tools(options.upstream)
    this.#stopWatch = options.server.usage.watch('maxPinnedTools', () => Object.keys(this.#own).length)
  }

  /** What is found out of tools takes long where they are many; it is known when they are looked at. */
  prepare(tools: readonly JsonObject[]): Promise<void> {
    return forEachInTurns(tools, hashOf)
  }

  /** Which tools are not served, and why; what is seen for the first time is written down. */
  withheld(tools: readonly JsonObject[]): ReadonlyMap<JsonObject, string> {
    const { upstream, server } = this.#options
    const before = this.#own
    const now = new Date(server.platform.now()).toISOString()
    const most = server.budgets.maxPinnedTools
    this.#own = see(before, { tools, now, most })
    if (this.#own !== before) this.#book.see(upstream, { tools: differing(this.#own, before), most })
    const withheld = new Map(
      tools.flatMap((tool) => {
        const reason = this.reason(tool)
        return reason === undefined ? [] : [[tool, reason] as const]
      }),
    )
    this.#notes.once([...withheld.values()], [...withheld.keys()].map(hashOf))
    return withheld
  }

  /** The tools as they were when they were last seen. */
  get remembered(): readonly JsonObject[] {
    return Object.values(this.#own).map(({ contract, changed }) => changed?.contract ?? contract)
  }

  /** Since when a tool has been approved, whatever has become of it since. */
  since(tool: string): string | undefined {
    const { first, approved } = (Object.hasOwn(this.#own, tool) && this.#own[tool]) || NEVER
    return first ?? approved
  }

  /** What is not served because it has changed. */
  get changed(): readonly ChangedTool[] {
    return Object.entries(this.#own).flatMap(([tool, { contract, changed }]) =>
      changed === undefined
        ? []
        : [{ tool, hash: changed.hash, seen: changed.seen, before: contract, after: changed.contract }],
    )
  }

  /** Whether it is what it was taken for; then it is served from here on. */
  async approve(tool: string, hash: string): Promise<boolean> {
    const { upstream, server } = this.#options
    const now = new Date(server.platform.now()).toISOString()
    let isSame = false
    await this.#book.change((book) => {
      const tools = toolsOf(book, upstream)
      isSame = Object.hasOwn(tools, tool) && tools[tool]?.changed?.hash === hash
      return isSame ? approve(book, upstream, { tool, now }) : book
    })
    return isSame
  }

  /** Resolves when everything has been written. */
  async close(): Promise<void> {
    this.#stopWatch()
    await this.#book.leave(this.#reader)
  }

  /** Why a tool is not served as it is. */
  reason(tool: JsonObject): string | undefined {
    const { upstream } = this.#options
    const name = String(tool['name'])
    const standing = standingOf(this.#own, tool)
    if (standing === 'approved') return undefined
    if (standing === 'unknown')
      return `${upstream}: ${name} is not served: it has more tools than are remembered (--max-pinned-tools)`
    const command = `perigee gateway approve ${upstream}/${name} --pins ${quoted(this.#path)}`
    return `${upstream}: ${name} has changed since it was approved, and is not served until the change is: ${command}`
  }

  /** Why a tool is not called where the upstream lists none by its name. */
  unlisted(name: unknown): string {
    const { upstream } = this.#options
    return `${upstream}: ${name} is not called: on this connection the upstream does not list it, or nothing at all, so that nobody knows whether it is what was approved`
  }

  /** What is as it was is kept once, as the others have it. */
  readonly #take = (tools: PinnedTools): void => {
    if (tools === this.#own) return
    const isSame = isDeepStrictEqual(tools, this.#own)
    this.#own = tools
    if (!isSame) this.#options.changed()
  }
}

const NEVER: { readonly first?: string; readonly approved?: string } = {}

export function openPins({ pins }: { readonly pins?: string }, options: PinsOptions): Pins | undefined {
  return pins === undefined ? undefined : new Pins(pins, options)
}

/** As one types it. */
export function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : JSON.stringify(path)
}
