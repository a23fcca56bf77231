import type { FileHandle } from 'node:fs/promises'
import { ownTurn } from '../../process/own-turn.ts'
import type { LineSearch } from './line-search.ts'

export interface FoundLine {
  readonly line: number
  readonly text: string
}

export interface LinesToFind {
  readonly limit: number
  /** How many lines are known. */
  readonly known?: number | undefined
  /** Throws where nobody waits for them any more. */
  readonly checkWanted: () => void
}

const CHUNK_BYTES = 64 * 1024
const NEWLINE = 10
const RETURN = 13

/** After so long somebody else has a turn. */
const TURN_MS = 5

/** As much of a line is shown. */
const SHOWN = 300

/** As much of it stands before what was found, where that stands far behind. */
const BEFORE = 100

/** Reads one file after the other, piece by piece, and finds lines in them. */
export class FileLineReader {
  readonly #search: LineSearch
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  #found: FoundLine[] = []
  /** How many lines have been passed. */
  #line = 0
  #turn = 0

  constructor(search: LineSearch) {
    this.#search = search
  }

  /** The lines that have what is looked for. What is no text has none. */
  async read(
    file: FileHandle,
    { limit, known = 0, checkWanted }: LinesToFind,
  ): Promise<readonly FoundLine[]> {
    this.#found = []
    this.#line = 0
    this.#turn = performance.now()
    let rest = EMPTY
    for (;;) {
      checkWanted()
      const { bytesRead } = await file.read(this.#chunk, 0, CHUNK_BYTES)
      const read = this.#chunk.subarray(0, bytesRead)
      // Of a file with a hole in it, which may be larger than any disk, only what is before the hole is text.
      if (read.includes(0)) return this.#line === 0 ? [] : this.#found
      const isLast = bytesRead < CHUNK_BYTES
      const end = isLast ? bytesRead : read.lastIndexOf(NEWLINE) + 1
      if (end > 0 || isLast) await this.#lines(join(rest, read.subarray(0, end)), { limit, known })
      if (isLast || this.#found.length >= limit) return this.#found
      // The chunk is used again, so what is left of it is copied; of a line without end its beginning.
      rest = Buffer.concat([end > 0 ? EMPTY : rest, read.subarray(end)]).subarray(0, 4 * this.#search.longest)
    }
  }

  async #lines(
    bytes: Buffer,
    { limit, known }: { readonly limit: number; readonly known: number },
  ): Promise<void> {
    const search = this.#search.mayBeIn(bytes)
    for (let at = 0; at < bytes.length; ) {
      const next = bytes.indexOf(NEWLINE, at)
      const end = next < 0 ? bytes.length : next
      this.#line++
      if (search && this.#line > known) {
        const last = bytes[end - 1] === RETURN ? end - 1 : end
        const { longest } = this.#search
        const text = bytes.toString('utf8', at, Math.min(last, at + 4 * longest)).slice(0, longest)
        const place = this.#search.find(text)
        if (place !== undefined) this.#found.push({ line: this.#line, text: show(text, place) })
        if (this.#found.length >= limit) return
      }
      at = end + 1
      if (performance.now() - this.#turn < TURN_MS) continue
      await ownTurn()
      this.#turn = performance.now()
    }
  }
}

const EMPTY: Buffer = Buffer.alloc(0)

function join(rest: Buffer, more: Buffer): Buffer {
  return rest.length === 0 ? more : Buffer.concat([rest, more])
}

/** A long line is shown from a little before what was found. */
function show(line: string, place: number): string {
  const text = line.trimEnd()
  const from = place + BEFORE < SHOWN ? 0 : place - BEFORE
  const shown = text.slice(from, from + SHOWN)
  return `${from > 0 ? '…' : ''}${shown}${from + SHOWN < text.length ? '…' : ''}`
}
