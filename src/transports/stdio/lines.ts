import { Fault, type Refused, refuse, refuseUnparsed } from '../../kernel/index.ts'
import { BytePieces } from '../byte-pieces.ts'
import { SkippedLine, withIdAtEnd } from './skipped-line.ts'

const NEWLINE = 10
const BYTE_ORDER_MARK = '\uFEFF'

/** Chunks to lines. Splits on bytes, so a character cut in two by a chunk boundary survives. */
export class Lines {
  readonly #limit: number
  readonly #maxIdBytes: number | undefined
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #pending = new BytePieces()
  /** The line that is arriving is too long; its bytes are dropped up to its end. */
  #skipped: SkippedLine | undefined
  #first = true
  /** The length of the longest line so far. */
  longest = 0

  /** Lines may have so many bytes; of one with more its id is told, as long as that may be. */
  constructor(limit: number, maxIdBytes?: number) {
    this.#limit = limit
    this.#maxIdBytes = maxIdBytes
  }

  /** How much has come of a line that is not whole yet. */
  get pendingBytes(): number {
    return this.#pending.length
  }

  push(chunk: Buffer): (string | Refused)[] {
    const lines: (string | Refused)[] = []
    const end = chunk.indexOf(NEWLINE)
    if (end < 0) {
      this.#keep(chunk, lines)
      return lines
    }
    this.#keep(chunk.subarray(0, end), lines)
    this.#finishLine(lines)
    const last = chunk.lastIndexOf(NEWLINE)
    if (last > end) this.#readBlock(chunk.subarray(end + 1, last), lines)
    this.#keep(chunk.subarray(last + 1), lines)
    return lines
  }

  /** What stands after the last newline when the input ends is a line too. */
  end(): (string | Refused)[] {
    const lines: (string | Refused)[] = []
    this.#finishLine(lines)
    return lines
  }

  #keep(part: Buffer, lines: (string | Refused)[]): void {
    if (part.length === 0) return
    if (this.#skipped !== undefined) return tellOf(this.#skipped.skip(part), lines)
    this.#pending.add(part)
    if (this.pendingBytes <= this.#limit) return
    const line = this.#pending.take()
    this.#pending = new BytePieces()
    this.#skipped = new SkippedLine(this.#refuseLong(line), this.#limit)
    tellOf(this.#skipped.skip(line), lines)
  }

  #finishLine(lines: (string | Refused)[]): void {
    if (this.#skipped === undefined) this.#readLine(this.#pending.take(), lines)
    else tellOf(this.#skipped.end(), lines)
    this.#pending = new BytePieces()
    this.#skipped = undefined
    this.#first = false
  }

  /** Decoding many whole lines at once is several times faster than one by one. */
  #readBlock(block: Buffer, lines: (string | Refused)[]): void {
    const text = block.length <= this.#limit ? this.#decode(block) : undefined
    if (text !== undefined) {
      for (const line of text.split('\n')) this.#add(line, lines)
      return
    }
    for (let start = 0; start <= block.length; ) {
      const found = block.indexOf(NEWLINE, start)
      const end = found < 0 ? block.length : found
      const line = block.subarray(start, end)
      if (line.length > this.#limit) lines.push(withIdAtEnd(this.#refuseLong(line), line))
      else this.#readLine(line, lines)
      start = end + 1
    }
  }

  #readLine(bytes: Uint8Array, lines: (string | Refused)[]): void {
    if (bytes.length === 0) return
    const text = this.#decode(bytes)
    if (text === undefined) lines.push(refuse(new Fault('parseError', 'Parse error: the line is not UTF-8')))
    else this.#add(this.#first && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, lines)
  }

  /** Blank lines are nothing, and JSON takes a carriage return for white space. */
  #add(line: string, lines: (string | Refused)[]): void {
    if (line === '' || line.trim() === '') return
    if (line.length > this.longest) this.longest = line.length
    lines.push(line)
  }

  /** Looks no further than the limit, so that it makes no difference how much more has arrived. */
  #refuseLong(line: Uint8Array): Refused {
    const message = `Invalid request: a line may have ${this.#limit} bytes, this one has more (--max-line)`
    const fault = new Fault('invalidRequest', message, undefined, undefined, message)
    return refuseUnparsed(fault, decodeBeginning(line.subarray(0, this.#limit)), this.#maxIdBytes)
  }

  #decode(bytes: Uint8Array): string | undefined {
    try {
      return this.#decoder.decode(bytes)
    } catch {
      return undefined
    }
  }
}

function tellOf(refused: Refused | undefined, lines: (string | Refused)[]): void {
  if (refused !== undefined) lines.push(refused)
}

/** The limit may have cut a character in two, which is no reason not to read what stands before it. */
function decodeBeginning(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return ''
  }
}
