import { noHttp, parseHead, type ResponseHead } from './response-head.ts'

/** Hears of an answer as it comes. */
export interface ResponseListener {
  onHead(head: ResponseHead): void
  onBytes(bytes: Buffer): void
  onEnd(): void
}

/** The longest head, line and trailer that are waited for. */
const [MAX_HEAD, MAX_LINE] = [16 * 1024, 1024]

/** How often an answer may be announced before it comes. */
const MAX_ANNOUNCED = 100

const MORE = -1

type ParserStep = 'head' | 'body' | 'until-close' | 'size' | 'chunk' | 'after-chunk' | 'trailer' | 'done'

/** Reads one answer of HTTP/1.1 out of bytes that come in pieces of any size. */
export class ResponseParser {
  readonly #listener: ResponseListener
  /** What has come of a line or of a head that has not ended. */
  #begun: Buffer | undefined
  #step: ParserStep = 'head'
  /** Bytes that the body, or its chunk, is still to have. */
  #left = 0
  #trailer = 0
  #announced = 0

  constructor(listener: ResponseListener) {
    this.#listener = listener
  }

  get isDone(): boolean {
    return this.#step === 'done'
  }

  feed(piece: Buffer): void {
    const bytes = this.#begun === undefined ? piece : Buffer.concat([this.#begun, piece])
    this.#begun = undefined
    for (let at = 0; at < bytes.length; ) {
      const next = this.#read(bytes, at)
      if (next === MORE) {
        this.#begun = Buffer.from(bytes.subarray(at)) // A view would keep all that it was cut from.
        return
      }
      at = next
    }
  }

  /** Nothing more will come; whether that was all. */
  finish(): boolean {
    if (this.#step === 'until-close') this.#end()
    return this.isDone
  }

  /** Where to go on, or that more has to come. */
  #read(bytes: Buffer, at: number): number {
    switch (this.#step) {
      case 'head':
        return this.#readHead(bytes, at)
      case 'body':
      case 'chunk':
        return this.#readBytes(bytes, at)
      case 'until-close':
        this.#listener.onBytes(at === 0 ? bytes : bytes.subarray(at))
        return bytes.length
      case 'size':
        return this.#readLine(bytes, at, (line) => this.#begin(sizeOf(line)))
      case 'after-chunk':
        return this.#readLine(bytes, at, (line) => {
          if (line !== '') throw noHttp('a chunk is longer than it says')
          this.#step = 'size'
        })
      case 'trailer':
        return this.#readLine(bytes, at, (line) => this.#passTrailer(line))
      case 'done':
        throw noHttp('more came than was asked for')
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const end = bytes.indexOf('\r\n\r\n', at, 'latin1')
    if ((end === -1 ? bytes.length : end) - at > MAX_HEAD)
      throw noHttp(`its head is longer than ${MAX_HEAD} bytes`)
    if (end === -1) return MORE
    const head = parseHead(bytes.toString('latin1', at, end))
    if (head.status === 101) throw noHttp('it changes to another protocol')
    if (head.status >= 200) this.#beginBody(head)
    else if (++this.#announced > MAX_ANNOUNCED) throw noHttp('it is announced and announced')
    return end + 4
  }

  #beginBody(head: ResponseHead): void {
    const { length } = head
    this.#listener.onHead(head)
    if (length === 0) return this.#end()
    this.#step = length === 'chunked' ? 'size' : length === 'until-close' ? length : 'body'
    if (typeof length === 'number') this.#left = length
  }

  #readBytes(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left)
    this.#left -= end - at
    this.#listener.onBytes(bytes.subarray(at, end))
    if (this.#left > 0) return end
    if (this.#step === 'body') this.#end()
    else this.#step = 'after-chunk'
    return end
  }

  #readLine(bytes: Buffer, at: number, take: (line: string) => void): number {
    const end = bytes.indexOf('\r\n', at, 'latin1')
    if ((end === -1 ? bytes.length : end) - at > MAX_LINE)
      throw noHttp(`a line of it is longer than ${MAX_LINE} bytes`)
    if (end === -1) return MORE
    take(bytes.toString('latin1', at, end))
    return end + 2
  }

  #begin(size: number): void {
    this.#left = size
    this.#step = size === 0 ? 'trailer' : 'chunk'
  }

  #passTrailer(line: string): void {
    this.#trailer += line.length
    if (this.#trailer > MAX_HEAD) throw noHttp(`its trailer is longer than ${MAX_HEAD} bytes`)
    if (line === '') this.#end()
  }

  #end(): void {
    this.#step = 'done'
    this.#listener.onEnd()
  }
}

function sizeOf(line: string): number {
  const [, digits] = /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line) ?? []
  if (digits === undefined) throw noHttp(`a chunk has the size ${JSON.stringify(line.slice(0, 80))}`)
  return Number.parseInt(digits, 16)
}
