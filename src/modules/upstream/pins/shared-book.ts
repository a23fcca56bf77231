import { followFile, stampOf } from '../../../confined/follow-file.ts'
import { underLock, writePrivate } from '../../../confined/private-file.ts'
import {
  addAll,
  addUnwritten,
  type PinBook,
  type PinnedTools,
  printBook,
  toolsOf,
  type UnwrittenTools,
} from './pin-book.ts'
import { bookIn, textOf } from './pin-file.ts'

/** How long what has been seen waits for more to be written with it: so many times what the last write took, within these. */
const [REST, LEAST_MS, MOST_MS] = [10, 100, 2000]

/** How long it waits at most where the file cannot be written. */
const RETRY_MS = 30_000

/** One upstream of a server, as a book knows it. */
export interface BookReader {
  readonly upstream: string
  readonly server: object
  readonly note: (message: string) => void
  /** Told what is pinned of its upstream when that may be something else. */
  readonly take: (tools: PinnedTools) => void
}

type BookChange = (book: PinBook) => PinBook

const EMPTY: PinBook = {}

/** Those that are in use, or have something that could not be written, by their files. */
const books = new Map<string, SharedBook>()

/** A file of pinned tools, read, followed and written once for all upstreams of this process that use it. */
export class SharedBook {
  readonly #path: string
  readonly #readers = new Set<BookReader>()
  #endFollow: (() => void) | undefined
  /** What the file says, as it was last read or written: one that is gone says nothing else. */
  #book = EMPTY
  /** Undefined where there is no file. */
  #text: string | undefined
  /** That of the file when it was last read. */
  #stamp: string | undefined
  /** What has been seen and is not in the file yet. */
  #unwritten: ReadonlyMap<string, UnwrittenTools> = new Map()
  #pauseMs = LEAST_MS
  /** Whether it could not be written when that was last tried. */
  #isFailing = false
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<unknown> = Promise.resolve()

  private constructor(path: string) {
    this.#path = path
    books.set(path, this)
  }

  /** Throws where there is a file that cannot be read. */
  static join(path: string, reader: BookReader): SharedBook {
    const book = books.get(path) ?? new SharedBook(path)
    if (book.#endFollow === undefined) book.#follow()
    try {
      if (book.#read()) book.#tell()
      book.#readers.add(reader)
      if (book.#isBehind) book.#plan()
    } finally {
      book.#letGo()
    }
    return book
  }

  /** Resolves when everything has been written. */
  async leave(reader: BookReader): Promise<void> {
    await this.#write()
    this.#readers.delete(reader)
    this.#letGo()
  }

  tools(upstream: string): PinnedTools {
    const unwritten = this.#unwritten.get(upstream)
    const tools = toolsOf(this.#book, upstream)
    return unwritten === undefined ? tools : addUnwritten(tools, unwritten)
  }

  /** Is written down with what others see meanwhile, and remembered until then. */
  see(upstream: string, { tools, most }: UnwrittenTools): void {
    const before = this.#unwritten.get(upstream)?.tools
    this.#unwritten = new Map([...this.#unwritten, [upstream, { tools: { ...before, ...tools }, most }]])
    this.#plan()
  }

  /** Resolves when it has been written, after what was seen before; what others have written since stays. */
  change(change?: BookChange): Promise<void> {
    const changed = this.#writing.then(() => this.#commit(change))
    this.#writing = changed.catch(() => {}) // Whoever wanted it is told.
    return changed
  }

  #plan(): void {
    this.#timer ??= setTimeout(() => void this.#write(), this.#pauseMs)
    if (this.#isFailing) this.#timer.unref() // Nobody stays for what may never be.
  }

  #write(): Promise<void> {
    return this.change().catch(() => {}) // Every server has been told.
  }

  /** Whether there is something to write that nobody has asked for. */
  get #isBehind(): boolean {
    return this.#unwritten.size > 0 || this.#isGone
  }

  get #isGone(): boolean {
    return this.#text === undefined && this.#book !== EMPTY
  }

  async #commit(change: BookChange | undefined): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#isBehind && change === undefined) return
    const batch = this.#unwritten
    try {
      await underLock(this.#path, () => this.#merge(change))
    } catch (error) {
      if (this.#isBehind) this.#fail(error as Error)
      throw error
    }
    this.#isFailing = false
    if (this.#unwritten === batch) this.#unwritten = new Map() // Otherwise the next write is for all of it.
    this.#tell()
  }

  /** It is tried again, and told of once. */
  #fail({ message }: Error): void {
    if (!this.#isFailing)
      this.#note(
        `${this.#path} cannot be written, so that tools are remembered only while this runs: ${message}`,
      )
    this.#isFailing = true
    this.#pauseMs = Math.min(2 * this.#pauseMs, RETRY_MS)
    this.#plan()
  }

  /** While nobody else does. */
  async #merge(change: BookChange = (book) => book): Promise<void> {
    const begun = performance.now()
    if (this.#read()) this.#tell()
    const [isGone, isNew] = [this.#isGone, this.#text === undefined]
    const after = change(addAll(this.#book, this.#unwritten))
    if (after === this.#book && !isGone) return
    const text = printBook(after)
    await writePrivate(this.#path, text)
    this.#text = text
    this.#stamp = undefined // It is another file now.
    this.#book = after
    this.#pauseMs = Math.min(Math.max(REST * (performance.now() - begun), LEAST_MS), MOST_MS)
    if (isNew && this.#endFollow !== undefined) this.#follow() // From here on it may go.
    if (isGone) this.#note(`${this.#path} was gone and is written anew. What was approved before stands`)
  }

  /** Whether there is a file that says something else than what is known; what was written here is not parsed again. */
  #read(): boolean {
    const stamp = stampOf(this.#path)
    if (stamp === this.#stamp) return false
    const text = textOf(this.#path)
    const isOther = text !== undefined && text !== this.#text
    if (isOther) this.#book = bookIn(this.#path, text)
    this.#text = text
    this.#stamp = stamp
    return isOther
  }

  #follow(): void {
    this.#endFollow?.()
    this.#endFollow = followFile(this.#path, this.#look)
  }

  readonly #look = (): void => {
    try {
      if (this.#read()) this.#tell()
      if (this.#isGone) this.#plan()
    } catch (error) {
      this.#note(`${(error as Error).message}. What was approved before stands`)
    }
  }

  #tell(): void {
    const book = addAll(this.#book, this.#unwritten)
    for (const { upstream, take } of this.#readers) take(toolsOf(book, upstream))
  }

  /** Once to each server, however many of its upstreams there are. */
  #note(message: string): void {
    const notes = new Map([...this.#readers].map(({ server, note }) => [server, note]))
    for (const note of notes.values()) note(message)
  }

  /** What could not be written is known to whoever comes later. */
  #letGo(): void {
    if (this.#readers.size > 0) return
    this.#endFollow?.()
    this.#endFollow = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#unwritten.size === 0 && books.get(this.#path) === this) books.delete(this.#path)
  }
}
