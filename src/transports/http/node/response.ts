import type { ServerResponse } from 'node:http'
import { Fault, print, toWire } from '../../../kernel/index.ts'
import { LARGE } from '../../traffic.ts'
import type { BodySink } from '../exchange.ts'
import { type BodyParts, PART, TextParts } from '../parts.ts'
import { whenBroken } from './broken.ts'
import type { NodeConnection } from './connection.ts'
import type { SentHead } from './connection-options.ts'
import type { Flushed } from './flusher.ts'

/** Characters of a stream that are kept back at most. */
const MAX_KEPT = 64 * 1024

/** What the head of an answer adds to it, roughly. */
const HEAD = 256

const FAILED = print({ jsonrpc: '2.0', id: null, error: toWire(new Fault('internalError')) })

/** An answer over node:http, complete or going on. */
export class NodeResponse implements BodySink, Flushed {
  readonly #response: ServerResponse
  readonly #connection: NodeConnection
  readonly #head: SentHead
  #text = ''
  /** What is made as it leaves. */
  #parts: BodyParts | undefined
  #owed = 0
  #ended = false
  #waiting = false
  #awaits = false

  constructor(response: ServerResponse, connection: NodeConnection, head: SentHead) {
    this.#response = response
    this.#connection = connection
    this.#head = head
    const { watch } = head
    if (watch !== undefined) whenBroken(response, () => watch.gone())
  }

  get ended(): boolean {
    return this.#ended
  }

  get large(): boolean {
    return this.#parts !== undefined
  }

  get unread(): number {
    return this.#response.writableLength + this.#text.length + (this.#parts?.held ?? 0)
  }

  write(text: string): void {
    if (this.#ended) return
    const before = this.unread
    this.#text += text
    if (this.#text.length > MAX_KEPT) this.flush()
    else this.#flushSoon()
    if (this.unread > LARGE) this.#head.watch?.crowded(before)
  }

  drained(run: () => void): void {
    this.flush()
    if (this.#response.writableNeedDrain) this.#response.once('drain', run)
    else run()
  }

  end(body: string | BodyParts = ''): void {
    if (this.#ended) return
    const { watch } = this.#head
    if (watch !== undefined && typeof body === 'string' && body.length > LARGE) {
      this.write(body) // However it ends, a stream of which much is unread is looked after.
      return this.end()
    }
    const connection = this.#connection
    if (typeof body !== 'string') this.#parts = body
    else if (body.length > PART) this.#parts = new TextParts(body, { bytes: Buffer.byteLength(body) })
    else this.#text += body
    this.#ended = true
    this.#owed = HEAD + this.#text.length + (this.#parts?.left ?? 0)
    if (this.#owed > LARGE) connection.options.traffic.owe(this)
    this.#flushSoon()
    watch?.ended() // Its place is free before the next request is taken.
    connection.answered(this.#owed)
    if (connection.awaited) connection.proceed()
  }

  destroy(): void {
    this.#response.destroy()
  }

  #flushSoon(): void {
    if (this.#waiting) return
    this.#waiting = true
    this.#connection.flusher.add(this)
  }

  flush(): void {
    try {
      this.#leave()
    } catch (error) {
      this.#fail(error)
    }
  }

  #leave(): void {
    this.#waiting = false
    const response = this.#response
    if (response.writableEnded && this.#awaits) return // All of it is on its way.
    if (response.destroyed || response.writableEnded || this.#connection.socket.destroyed)
      return this.#taken()
    if (this.#parts !== undefined) return this.#sendPart(this.#parts)
    const text = this.#text
    this.#text = ''
    if (!response.headersSent) this.#writeHead(this.#ended ? Buffer.byteLength(text) : undefined)
    if (this.#ended) this.#finish(text)
    else if (text === '') response.flushHeaders()
    else response.write(text)
  }

  /** What is long leaves in parts, each in a turn of its own and as fast as it is taken. */
  #sendPart(parts: BodyParts): void {
    const response = this.#response
    if (!response.headersSent) {
      this.#writeHead(parts.bytes)
      this.#await()
      this.#connection.reading.pause() // Node hangs up on who has said all.
    }
    const part = parts.next()
    if (parts.left === 0) {
      this.#parts = undefined
      this.#finish(part)
      setImmediate(() => this.#connection.reading.resume())
    } else if (response.write(part)) this.#flushSoon()
    else response.once('drain', () => this.#flushSoon())
  }

  #finish(text: string): void {
    const response = this.#response
    response.end(text)
    if (!this.#awaits && response.writableLength === 0) this.#taken()
    else this.#await()
  }

  /** A client that stops taking its answer is not waited for. */
  #await(): void {
    if (this.#awaits) return
    this.#awaits = true
    this.#response.setTimeout(this.#connection.options.patienceMs)
    this.#connection.leaving.add(this.#response)
    this.#response.once('close', () => this.#taken())
    this.#connection.options.traffic.owe(this)
  }

  #taken(): void {
    const connection = this.#connection
    this.#text = ''
    this.#parts = undefined
    connection.options.traffic.settle(this)
    if (this.#awaits) connection.leaving.delete(this.#response)
    connection.owed = Math.max(0, connection.owed - this.#owed) // What leaves at once has not been counted yet.
    this.#owed = 0
    if (connection.awaited) connection.proceed()
  }

  /** What cannot be written is answered as a mistake of ours, where nothing of it has left. */
  #fail(error: unknown): void {
    const response = this.#response
    this.#connection.options.failed(error)
    if (!this.#ended || response.headersSent) {
      response.destroy()
      return this.#taken()
    }
    this.#parts = undefined
    response.writeHead(500, { 'content-type': 'application/json', 'content-length': FAILED.length })
    this.#finish(FAILED)
  }

  /** What is complete already has a length, where it is known; what goes on is sent in chunks. */
  #writeHead(bytes: number | undefined): void {
    const { status, headers } = this.#head
    const sized = bytes !== undefined && status !== 204 && status !== 304
    this.#response.writeHead(status, sized ? { 'content-length': bytes, ...headers } : headers)
  }
}
