import { type Directory, openIn } from '../../confined/confine.ts'
import { codeOf, printName } from '../../confined/explain.ts'
import type { Place } from '../../confined/locate.ts'
import type { AuthorCall as Call } from '../../kernel/index.ts'
import { Effort } from './effort.ts'
import { namesOf, type PathMatcher } from './glob.ts'
import { type LineSearch, SlowPattern } from './line-search.ts'
import { FileLineReader, type FoundLine } from './search-lines.ts'
import { type WalkedEntry, type WalkedRow, walk } from './walk.ts'
import { checkWanted } from './walks.ts'

/** A page that has found something is given after so long. One that has not goes on: an empty page helps nobody, but has an end, too. */
const [SOON_MS, LATE_MS] = [100, 10_000]

/** So many files are read at the same time. */
const AT_ONCE = 8

/** As a line of a file that is known to its end. */
const ALL = Number.MAX_SAFE_INTEGER

/** Where a search has come to: an entry, and a line of it. */
export interface SearchPlace {
  readonly path: string
  readonly line: number
}

export interface Match extends Partial<FoundLine> {
  readonly path: string
}

export interface SearchOptions {
  readonly start: Place
  /** Undefined where any name will do. */
  readonly fits: PathMatcher | undefined
  /** Undefined where names alone are looked for. */
  readonly lines: LineSearch | undefined
  readonly limit: number
  readonly ignoring: boolean
  readonly from: SearchPlace | undefined
}

interface SearchPage {
  readonly matches: readonly Match[]
  /** How many files were looked at. */
  readonly searched: number
  readonly next?: SearchPlace
  readonly effort: Effort
}

interface SearchingIn {
  readonly directory: Directory
  readonly call: Call | undefined
}

/** One page of what is found below a folder. */
export class Search {
  readonly #options: SearchOptions
  readonly #readers: readonly FileLineReader[]
  readonly #matches: Match[] = []
  readonly #effort = new Effort()
  #searched = 0

  constructor(options: SearchOptions) {
    const { lines } = options
    this.#options = options
    this.#readers =
      lines === undefined ? [] : Array.from({ length: AT_ONCE }, () => new FileLineReader(lines))
  }

  async page(call?: Call): Promise<SearchPage> {
    const { start, from, ignoring, limit } = this.#options
    const began = performance.now()
    const isLate = () =>
      this.#effort.isSpent || performance.now() - began > (this.#matches.length > 0 ? SOON_MS : LATE_MS)
    let last: string | undefined
    for await (const row of walk(start, { from: from?.path, ignoring, effort: this.#effort })) {
      checkWanted(call)
      // Looked at here, where there is more: who has come to the end is not told that there may be.
      if (last !== undefined && isLate()) return this.#report({ path: last, line: ALL })
      for (const found of await this.#look(row, call)) this.#matches.push(...found)
      if (this.#matches.length >= limit) return this.#cut(limit)
      last = row.entries.at(-1)?.path ?? row.at
      call?.progress(this.#searched, undefined, 'files searched')
    }
    return this.#report()
  }

  /** What each entry of a row has, in their order. */
  async #look({ entries, directory }: WalkedRow, call: Call | undefined): Promise<readonly Match[][]> {
    const wanted = await this.#wanted(entries)
    this.#searched += wanted.length
    const found: Match[][] = wanted.map(() => [])
    if (this.#readers.length === 0) return wanted.map(({ path }) => (this.#isKnown(path) ? [] : [{ path }]))
    const ahead = wanted.entries()
    const work = async (reader: FileLineReader) => {
      for (const [index, entry] of ahead) {
        checkWanted(call)
        if (entry.kind === 'file') found[index] = await this.#read(reader, entry, { directory, call })
      }
    }
    await Promise.all(this.#readers.map(work))
    return found
  }

  async #wanted(entries: readonly WalkedEntry[]): Promise<readonly WalkedEntry[]> {
    const { fits } = this.#options
    const wanted: WalkedEntry[] = []
    for (const entry of entries) {
      if (entry.kind !== 'folder' && fits?.(namesOf(entry.path), this.#effort) !== false) wanted.push(entry)
      if (this.#effort.isLong) await this.#effort.rest()
    }
    return wanted
  }

  #isKnown(path: string): boolean {
    return path === this.#options.from?.path
  }

  async #read(
    reader: FileLineReader,
    { path, place }: WalkedEntry,
    { directory, call }: SearchingIn,
  ): Promise<Match[]> {
    const { limit, from } = this.#options
    try {
      const file = await openIn(directory, place)
      try {
        const known = this.#isKnown(path) ? from?.line : undefined
        const found = await reader.read(file, { limit, known, checkWanted: () => checkWanted(call) })
        return found.map(({ line, text }) => ({ path, line, text }))
      } finally {
        await file.close()
      }
    } catch (error) {
      if (error instanceof SlowPattern)
        throw new Error(
          `pattern: it takes too long on a line of ${printName(path)}. Make it simpler: no group that repeats what repeats inside it, and nothing that refers back; or look in other files`,
        )
      // What is gone by now, or may not be read, has nothing to be found.
      if (codeOf(error) === undefined) throw error
      return []
    }
  }

  #cut(limit: number): SearchPage {
    this.#matches.length = limit
    const { path = '', line = ALL } = this.#matches.at(-1) ?? {}
    return this.#report({ path, line })
  }

  #report(next?: SearchPlace): SearchPage {
    const [matches, searched, effort] = [this.#matches, this.#searched, this.#effort]
    return { matches, searched, ...(next && { next }), effort }
  }
}
