import { LARGE, ownTurn } from '../../../process/own-turn.ts'
import { BytePieces } from '../../../transports/byte-pieces.ts'
import { ClientError } from '../../errors.ts'
import type { Arriving, MessageLimits } from '../../intake.ts'
import { tooMuch } from '../events.ts'
import type { FetchedBody } from '../fetching.ts'

/** What is left of an answer that nobody wants any more may be so much, and take so long, for its connection to be kept. */
const [REST_BYTES, REST_MS] = [64 * 1024, 250]

/** What may wait to be read before the server has to wait as well. */
const HIGH_WATER = 64 * 1024

/** How long nothing may come of an answer that has begun, and is read as a whole. */
const STALL_MS = 60_000

const BYTE_ORDER_MARK = 0xfeff

/** Where a body comes from. */
export interface BodySource {
  pause(): void
  resume(): void
  drop(): void
}

/** Who has given all of a body may be giving another by the time it is read. */
const NOBODY: BodySource = { pause: () => {}, resume: () => {}, drop: () => {} }

/** The body of an answer, as it comes. */
export class ReceivedBody implements FetchedBody, Arriving {
  #source: BodySource
  #waiting = new BytePieces()
  /** Bytes that wait to be read or, where nobody will, that came all the same. */
  #length = 0
  #isOver = false
  #error: Error | undefined
  #isUnwanted = false
  #wake: (() => void) | undefined

  constructor(source: BodySource) {
    this.#source = source
  }

  add(bytes: Uint8Array): void {
    this.#length += bytes.length
    if (this.#isUnwanted) return this.#length > REST_BYTES ? this.#source.drop() : undefined
    this.#waiting.add(bytes)
    if (this.#length > HIGH_WATER) this.#source.pause()
    this.#wake?.()
  }

  /** All of it has come, or no more will. */
  end(error?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#error = error
    this.#source = NOBODY
    this.#wake?.()
  }

  /** Nearly always all of it has come with its head. */
  readAll(limits: MessageLimits): string | Promise<string> {
    const body = new BytePieces()
    this.#gather(body, limits)
    return this.#isOver && body.length <= LARGE ? this.#finish(body) : this.#readRest(body, limits)
  }

  async #readRest(body: BytePieces, limits: MessageLimits): Promise<string> {
    try {
      while (!this.#isOver) {
        const clock = setTimeout(() => this.#stall(), STALL_MS)
        await this.#more()
        clearTimeout(clock)
        this.#gather(body, limits)
        limits.intake?.hold(this, body.length)
      }
      if (body.length > LARGE) {
        limits.intake?.hold(this, body.length)
        await ownTurn()
      }
      return this.#finish(body)
    } finally {
      limits.intake?.hold(this, 0)
    }
  }

  #gather(body: BytePieces, { maxMessageBytes: limit }: MessageLimits): void {
    const piece = this.#take()
    if (body.length + piece.length > limit) {
      this.#source.drop()
      throw tooMuch(limit)
    }
    body.add(piece)
  }

  #finish(body: BytePieces): string {
    if (this.#error !== undefined) throw this.#error
    return decode(body.take())
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = this.#take()
        if (piece.length > 0) yield piece
        else if (this.#isOver) break
        else await this.#more()
      }
      if (this.#error !== undefined) throw this.#error
    } finally {
      await this.cancel()
    }
  }

  /** Whoever has begun to answer has the answer. */
  #stall(): void {
    this.giveWay(
      new ClientError('lost', `The answer broke off: nothing more of it came for ${STALL_MS / 1000} s`),
    )
  }

  giveWay(error: Error): void {
    this.#source.drop()
    this.#take()
    this.#error ??= error // All of it may have come, and wait for its turn.
    this.end(error)
  }

  /** A connection that is read to its end can be used again. */
  async cancel(): Promise<void> {
    if (this.#isOver || this.#isUnwanted) return
    this.#isUnwanted = true
    this.#take()
    const clock = setTimeout(() => this.#source.drop(), REST_MS)
    this.#wake = () => clearTimeout(clock)
  }

  #take(): Uint8Array {
    const waiting = this.#waiting
    if (this.#length > HIGH_WATER) this.#source.resume()
    this.#waiting = new BytePieces()
    this.#length = 0
    return waiting.take()
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined
        resolve()
      }
    })
  }
}

function decode({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString()
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
}
