import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { followFile } from '../../../confined/follow-file.ts'
import { underLock, writePrivate } from '../../../confined/private-file.ts'
import type { ChangedTool, JsonObject, Server } from '../../../kernel/index.ts'
import { approve, type PinBook, parseBook, printBook, see, standingOf } from './pin-book.ts'

export interface PinsOptions {
  readonly upstream: string
  readonly server: Pick<Server, 'platform' | 'budgets' | 'usage'>
  readonly note: (message: string) => void
  /** Told when something has been approved. */
  readonly changed: () => void
}

/** The approved tools of one upstream, in a file which other servers and the command that approves may use at once. */
export class Pins {
  readonly #path: string
  readonly #options: PinsOptions
  readonly #stopWatch: () => void
  readonly #endFollow: () => void
  #book: PinBook
  #writing: Promise<void> = Promise.resolve()

  /** Throws where there is a file that cannot be read. */
  constructor(path: string, options: PinsOptions) {
    this.#path = resolve(path)
    this.#options = options
    this.#endFollow = followFile(this.#path, this.#look)
    try {
      this.#book = readBook(this.#path)
    } catch (error) {
      this.#endFollow() // Nobody is left who could be told.
      throw error
    }
    this.#stopWatch = options.server.usage.watch('maxPinnedTools', () => Object.keys(this.#own).length)
  }

  /** Which tools are not served, and why; what is seen for the first time is written down. */
  withheld(tools: readonly JsonObject[]): ReadonlyMap<JsonObject, string> {
    const { upstream, server } = this.#options
    const before = this.#book
    const now = new Date(server.platform.now()).toISOString()
    const seen = { upstream, tools, now, most: server.budgets.maxPinnedTools }
    this.#book = see(before, seen)
    if (this.#book !== before) this.#write((book) => see(book, seen))
    return new Map(
      tools.flatMap((tool) => {
        const reason = this.reason(tool)
        return reason === undefined ? [] : [[tool, reason] as const]
      }),
    )
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
    await this.#writing
    await changeBook(this.#path, (book) => {
      const tools = book[upstream] ?? {}
      isSame = Object.hasOwn(tools, tool) && tools[tool]?.changed?.hash === hash
      return isSame ? approve(book, upstream, { tool, now }) : book
    })
    this.#look()
    return isSame
  }

  /** Resolves when everything has been written. */
  async close(): Promise<void> {
    this.#endFollow()
    this.#stopWatch()
    await this.#writing
  }

  get #own(): PinBook[string] {
    return this.#book[this.#options.upstream] ?? {}
  }

  /** Why a tool is not served as it is. */
  reason(tool: JsonObject): string | undefined {
    const { upstream } = this.#options
    const name = String(tool['name'])
    const standing = standingOf(this.#book, upstream, tool)
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

  /** What others have written since stays. */
  #write(change: (book: PinBook) => PinBook): void {
    this.#writing = this.#writing
      .then(() => changeBook(this.#path, change))
      .then(() => {})
      .catch((error: Error) =>
        this.#options.note(
          `${this.#path} cannot be written, so that tools are not remembered: ${error.message}`,
        ),
      )
  }

  readonly #look = (): void => {
    const before = JSON.stringify(this.#own)
    try {
      this.#book = readBook(this.#path, this.#book)
    } catch (error) {
      return this.#options.note(`${(error as Error).message}. What was approved before stands`)
    }
    if (JSON.stringify(this.#own) !== before) this.#options.changed()
  }
}

const NEVER: { readonly first?: string; readonly approved?: string } = {}

export function openPins({ pins }: { readonly pins?: string }, options: PinsOptions): Pins | undefined {
  return pins === undefined ? undefined : new Pins(pins, options)
}

/** Reads, changes and writes it while nobody else does. */
export function changeBook(path: string, change: (book: PinBook) => PinBook): Promise<PinBook> {
  return underLock(path, async () => {
    const before = readBook(path)
    const after = change(before)
    if (after !== before) await writePrivate(path, printBook(after))
    return after
  })
}

export function readBook(path: string, otherwise: PinBook = {}): PinBook {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise
    throw error
  }
  try {
    return parseBook(text)
  } catch (error) {
    throw new Error(`${path} is no file of pinned tools: ${(error as Error).message}`)
  }
}

/** As one types it. */
export function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : JSON.stringify(path)
}
