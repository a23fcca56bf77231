import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BytePieces } from '../../byte-pieces.ts'
import { LARGE } from '../../traffic.ts'
import { NOT_UTF8 } from '../answers.ts'
import { areTooSmall, bodyRefusals } from '../body-refusals.ts'
import type { Refusal, RequestBody } from '../exchange.ts'
import type { NodeConnection } from './connection.ts'
import type { NodeRequest } from './exchange.ts'
import { unread } from './request-scheduler.ts'

type Done = (body: string | Refusal) => void

/** The body of a request over node:http, which may be read before its turn has come. */
export class NodeBody implements RequestBody {
  readonly #message: IncomingMessage
  readonly #response: ServerResponse
  readonly #connection: NodeConnection
  readonly #announced: number
  readonly #expects: boolean
  #gathers = false
  #pieces = 0
  #length = 0
  /** How much may come before others have their turn. */
  #pauseAt = LARGE
  /** How many of its bytes count as arriving. */
  counted = 0
  /** The first piece is kept as it came: most bodies have no other. */
  #first: Buffer | undefined
  #all: BytePieces | undefined
  #end: 'whole' | Refusal | undefined
  #done: Done | undefined

  constructor({ message, response, body, expects }: NodeRequest, connection: NodeConnection) {
    this.#expects = expects === true
    this.#message = message
    this.#response = response
    this.#connection = connection
    this.#announced = Number(message.headers['content-length'] ?? 0)
    if (body !== undefined) this.#give(body)
  }

  read(limit: number, done: Done): void {
    if (this.#expects && this.#announced <= limit) this.#response.writeContinue()
    this.#done = done
    if (this.#end === 'whole' && this.#length > limit) this.#end = tooLarge(limit)
    if (this.#end === undefined) this.gather(limit)
    else this.#settle(this.#end)
  }

  /** Begins to read before its turn has come: only a connection that is read tells when its client leaves. */
  gather(limit: number): void {
    if (this.#gathers) return
    this.#gathers = true
    if (this.#announced > limit) {
      this.#message.resume()
      return this.#settle(tooLarge(limit))
    }
    this.#message.on('data', (piece: Buffer) => this.#add(piece, limit))
    this.#message.on('end', () => this.#settle('whole'))
  }

  /** Whether it is still being read, or waits for its turn. */
  get arriving(): boolean {
    return this.#gathers && (this.#end === undefined || this.#done !== undefined)
  }

  turnAway(refused: Refusal = TURNED_AWAY): void {
    this.#end = refused
    this.#hand(refused)
  }

  /** Nobody will ask for any of it. */
  letGo(): void {
    this.#done = undefined
    this.#end ??= TURNED_AWAY
    this.#release()
    if (this.#end === TOO_SMALL_PIECES) this.#message.push = refusePiece
    else if (!this.#message.complete) dropBody(this.#message)
  }

  /** What a framework made of the body, as bytes again. */
  #give(body: unknown): void {
    const text = body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body)
    this.#first =
      typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.length)
    this.#length = this.#first.length
    this.#end = 'whole'
  }

  #add(piece: Buffer, limit: number): void {
    if (this.#end !== undefined) return
    this.#length += piece.length
    if (areTooSmall(++this.#pieces, this.#length)) return this.#settle(TOO_SMALL_PIECES)
    if (this.#first === undefined) this.#first = piece
    else this.#join(this.#first, piece)
    // What is taken as soon as it has come does not have to be waited for.
    if (this.#done === undefined || piece.length !== this.#announced) this.#count(piece.length)
    if (this.#length > limit) this.#settle(tooLarge(limit))
    else if (this.#length > this.#pauseAt) this.#giveWay()
  }

  /** One read of a socket may bring megabytes, so whoever sends many of them goes on in a turn of its own. */
  #giveWay(): void {
    this.#pauseAt = this.#length + LARGE
    this.#message.pause()
    this.#connection.scheduler.waitLast(() => {
      if (this.#end === undefined) this.#message.resume()
    })
  }

  #join(first: Buffer, piece: Buffer): void {
    if (this.#all === undefined) {
      this.#all = new BytePieces()
      this.#all.add(first)
    }
    this.#all.add(piece)
  }

  #count(bytes: number): void {
    this.counted += bytes
    this.#connection.options.traffic.arrive(this.#connection, bytes)
  }

  /** What has arrived is the handler's when it asks for it; one that is large waits for a turn of its own. */
  #settle(end: 'whole' | Refusal): void {
    this.#end ??= end
    if (end !== 'whole' || this.#length <= LARGE) return this.#hand(this.#end)
    this.#connection.scheduler.waitLast(unread(this.#connection.reading, () => this.#hand(end)))
  }

  #hand(end: 'whole' | Refusal): void {
    const done = this.#done
    if (done === undefined) return
    this.#done = undefined
    const bytes = end === 'whole' ? (this.#all?.take() ?? this.#first ?? NOTHING) : NOTHING
    this.#release()
    done(end === 'whole' ? decode(bytes) : end)
  }

  /** The call may live far longer than the bytes of its body are needed. */
  #release(): void {
    this.#connection.options.traffic.taken(this.#connection, this.counted)
    this.counted = 0
    this.#all = undefined
    this.#first = undefined
  }
}

const NOTHING = Buffer.alloc(0)

/** Thousands of pieces may have been read already: to have them go through a stream takes most of their time. */
const refusePiece = () => false

/** One read may bring ten thousand pieces before the first is handed on: what comes after one too many goes through no stream. */
export function limitPieces(message: IncomingMessage): void {
  const { push } = message
  let pieces = 0
  let bytes = 0
  message.push = (piece: Uint8Array | null) => {
    if (piece === null) return push.call(message, null)
    if (areTooSmall(pieces, bytes)) return true
    pieces++
    bytes += piece.length
    return push.call(message, piece)
  }
}

/** Reads what nobody wants to its end, so that the connection can be used again; in very small pieces it is not worth that. */
export function dropBody(message: IncomingMessage): void {
  const { push } = message
  let pieces = 0
  let bytes = 0
  message.push = (piece: Uint8Array | null) => {
    if (piece === null) return push.call(message, null)
    bytes += piece.length
    if (areTooSmall(++pieces, bytes)) message.socket.destroy()
    return true
  }
  message.resume()
}

const {
  tooLarge,
  tooSmallPieces: TOO_SMALL_PIECES,
  turnedAway: TURNED_AWAY,
} = bodyRefusals({ connection: 'close' })

const REPLACEMENT = '\ufffd'
const BYTE_ORDER_MARK = '\ufeff'

/** Bytes that are not UTF-8 show as replacement characters, unless the client has sent those itself. */
function decode({ buffer, byteOffset, length }: Uint8Array): string | Refusal {
  const bytes = Buffer.from(buffer, byteOffset, length)
  const text = bytes.toString()
  if (text.includes(REPLACEMENT) && !isUtf8(bytes)) return NOT_UTF8
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}
