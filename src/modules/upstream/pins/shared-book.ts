import { followFile, stampOf } from '../../../confined/follow-file.ts'
import { underLock, writePrivate } from '../../../confined/private-file.ts'
import { type PinBook, type PinnedTools, printBook, type SeenTools, seeAll, toolsOf } from './pin-book.ts'
import { bookIn, textOf } from './pin-file.ts'

/** How long what has been seen waits for more to be written with it: so many times what the last write took, within these. */
const [REST, LEAST_MS, MOST_MS] = [10, 100, 2000]

/** One upstream of a server, as a book knows it. */
export interface BookReader {
  readonly upstream: string
  readonly server: object
  readonly note: (message: string) => void
  /** Told what is pinned of its upstream when that may be something else. */
  readonly take: (tools: PinnedTools) => void
}

type BookChange = (book: PinBook) => PinBook

/** Those that are in use, by their files. */
const books = new Map<string, SharedBook>()

/** A file of pinned tools, read, followed and written once for all upstreams of this process that use it. */
export class SharedBook {
  readonly #path: string
  readonly #endFollow: () => void
  readonly #readers = new Set<BookReader>()
  /** What the file says, as it was last read or written. */
  #book: PinBook = {}
  #text: string | undefined
  /** That of the file when it was last read. */
  #stamp: string | undefined
  /** What has been seen and is not in the file yet. */
  readonly #due: SeenTools[] = []
  #pauseMs = LEAST_MS
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<unknown> = Promise.resolve()

  private constructor(path: string) {
    this.#path = path
    this.#endFollow = followFile(path, this.#look)
    books.set(path, this)
  }

  /** Throws where there is a file that cannot be read. */
  static join(path: string, reader: BookReader): SharedBook {
    const book = books.get(path) ?? new SharedBook(path)
    try {
      if (book.#read()) book.#tell()
      book.#readers.add(reader)
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
    const due = this.#due.filter((one) => one.upstream === upstream)
    return toolsOf(seeAll(this.#book, due), upstream)
  }

  /** Is written down with what others see meanwhile. */
  see(seen: SeenTools): void {
    this.#due.push(seen)
    this.#timer ??= setTimeout(() => void this.#write(), this.#pauseMs)
  }

  /** Resolves when it has been written, after what was seen before; what others have written since stays. */
  change(change?: BookChange): Promise<void> {
    const changed = this.#writing.then(() => this.#commit(change))
    this.#writing = changed.catch(() => {}) // Whoever wanted it is told.
    return changed
  }

  #write(): Promise<void> {
    return this.change().catch(() => {}) // Every server has been told.
  }

  async #commit(change: BookChange | undefined): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const batch = [...this.#due] // What is seen from here on is for the next.
    if (batch.length === 0 && change === undefined) return
    try {
      await underLock(this.#path, () => this.#merge(batch, change))
    } catch (error) {
      if (batch.length > 0)
        this.#note(
          `${this.#path} cannot be written, so that tools are not remembered: ${(error as Error).message}`,
        )
      throw error
    } finally {
      this.#due.splice(0, batch.length)
    }
    this.#tell()
  }

  /** While nobody else does. */
  async #merge(batch: readonly SeenTools[], change: BookChange = (book) => book): Promise<void> {
    const begun = performance.now()
    if (this.#read()) this.#tell()
    const after = change(seeAll(this.#book, batch))
    if (after === this.#book) return
    const text = printBook(after)
    await writePrivate(this.#path, text)
    this.#text = text
    this.#book = after
    this.#pauseMs = Math.min(Math.max(REST * (performance.now() - begun), LEAST_MS), MOST_MS)
  }

  /** Whether there is a file that says something else than what is known; what was written here is not parsed again. */
  #read(): boolean {
    const stamp = stampOf(this.#path)
    if (stamp === this.#stamp) return false
    const text = textOf(this.#path)
    const isOther = text !== this.#text
    if (isOther) this.#book = bookIn(this.#path, text)
    this.#text = text
    this.#stamp = stamp
    return isOther && text !== undefined
  }

  readonly #look = (): void => {
    try {
      if (this.#read()) this.#tell()
    } catch (error) {
      this.#note(`${(error as Error).message}. What was approved before stands`)
    }
  }

  #tell(): void {
    const book = seeAll(this.#book, this.#due)
    for (const { upstream, take } of this.#readers) take(toolsOf(book, upstream))
  }

  /** Once to each server, however many of its upstreams there are. */
  #note(message: string): void {
    const notes = new Map([...this.#readers].map(({ server, note }) => [server, note]))
    for (const note of notes.values()) note(message)
  }

  #letGo(): void {
    if (this.#readers.size > 0 || books.get(this.#path) !== this) return
    this.#endFollow()
    books.delete(this.#path)
  }
}
