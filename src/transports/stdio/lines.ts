import { Fault, type Refused, refuse, refuseUnparsed } from '../../kernel/index.ts'

const NEWLINE = 10
const BYTE_ORDER_MARK = '\uFEFF'

/** A line that drips in would otherwise cost a Buffer a byte. */
const MAX_PARTS = 1024

/** Chunks to lines. Splits on bytes, so a character cut in two by a chunk boundary survives. */
export class Lines {
  readonly #limit: number
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #pending: Buffer[] = []
  /** How much has come of a line that is not whole yet. */
  pendingBytes = 0
  /** The line that is arriving is too long; its bytes are dropped up to its end. */
  #skipping = false
  #first = true
  /** The length of the longest line so far. */
  longest = 0

  constructor(limit: number) {
    this.#limit = limit
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
    if (this.#skipping || part.length === 0) return
    this.#pending.push(part)
    this.pendingBytes += part.length
    if (this.pendingBytes > this.#limit) {
      lines.push(tooLong(Buffer.concat(this.#pending), this.#limit))
      this.#skipping = true
      this.#pending = []
    }
    if (this.#pending.length > MAX_PARTS) this.#pending = [Buffer.concat(this.#pending)]
  }

  #finishLine(lines: (string | Refused)[]): void {
    if (!this.#skipping) this.#readLine(Buffer.concat(this.#pending), lines)
    this.#pending = []
    this.pendingBytes = 0
    this.#skipping = false
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
      if (line.length > this.#limit) lines.push(tooLong(line, this.#limit))
      else this.#readLine(line, lines)
      start = end + 1
    }
  }

  #readLine(bytes: Buffer, lines: (string | Refused)[]): void {
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

  #decode(bytes: Buffer): string | undefined {
    try {
      return this.#decoder.decode(bytes)
    } catch {
      return undefined
    }
  }
}

/** Looks no further than the limit, so that it makes no difference how much more has arrived. */
function tooLong(line: Buffer, limit: number): Refused {
  const message = `Invalid request: a line may have ${limit} bytes, this one has more (--max-line)`
  const fault = new Fault('invalidRequest', message, undefined, undefined, message)
  return refuseUnparsed(fault, decodeBeginning(line.subarray(0, limit)))
}

/** The limit may have cut a character in two, which is no reason not to read what stands before it. */
function decodeBeginning(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return ''
  }
}
