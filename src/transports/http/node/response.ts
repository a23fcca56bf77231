import type { ServerResponse } from 'node:http'
import type { BodySink, HttpHeaders, StreamWatch } from '../exchange.ts'
import { LARGE } from '../traffic.ts'
import type { NodeConnection } from './connections.ts'

/** Characters of a stream that are kept back at most. */
const MAX_KEPT = 64 * 1024

/** What the head of an answer adds to it, roughly. */
const HEAD = 256

/** How long something may wait for others that take their time to be found. */
const MAX_WAIT_MS = 1

/** What is kept back for a moment. */
export interface Flushed {
  /** Whether nothing is to follow, which would have to be written after it. */
  readonly ended: boolean
  flush(): void
}

/**
 * What is written while messages are being read leaves when all of them have been: a peer that is woken once
 * for several costs both sides less than one that is woken for each.
 */
export class Flusher {
  /** Since when requests have been taken up in this turn; 0 from its end on. */
  busySince = 0
  #waiting: Flushed[] = []
  #since = 0

  add(flushed: Flushed): void {
    const now = performance.now()
    if (this.#waiting.push(flushed) === 1) {
      this.#since = now
      setImmediate(this.flush)
    } else if (now - this.#since > MAX_WAIT_MS) this.#flushComplete(now)
  }

  /** What is about to go on would otherwise be written twice. */
  #flushComplete(now: number): void {
    const waiting = this.#waiting
    this.#waiting = waiting.filter(({ ended }) => !ended)
    this.#since = now
    for (const flushed of waiting) if (flushed.ended) flushed.flush()
  }

  readonly flush = (): void => {
    const leaving = this.#waiting
    this.#waiting = []
    this.busySince = 0
    for (const flushed of leaving) flushed.flush()
  }
}

interface SentHead {
  readonly status: number
  readonly headers: HttpHeaders
  /** Looks after it, if it goes on. */
  readonly watch?: StreamWatch
}

/** Calls `run` when the client leaves before it has been answered in full. */
export function whenBroken(response: ServerResponse, run: () => void): void {
  if (response.destroyed && !response.writableFinished) return queueMicrotask(run)
  response.on('close', () => {
    if (!response.writableFinished) run()
  })
}

/** An answer over node:http, complete or going on. */
export class NodeResponse implements BodySink, Flushed {
  readonly #response: ServerResponse
  readonly #connection: NodeConnection
  readonly #head: SentHead
  #text = ''
  #owed = 0
  #ended = false
  #waiting = false
  #unsent = false

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

  get unread(): number {
    return this.#response.writableLength + this.#text.length
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

  end(text = ''): void {
    if (this.#ended) return
    const { watch } = this.#head
    if (watch !== undefined && text.length > LARGE) {
      this.write(text) // However it ends, a stream of which much is unread is looked after.
      return this.end()
    }
    const connection = this.#connection
    this.#text += text
    this.#ended = true
    this.#owed = HEAD + this.#text.length
    if (this.#owed > LARGE) this.#countUnsent()
    this.#flushSoon()
    watch?.ended() // Its place is free before the next request is taken.
    connection.current = undefined
    connection.owed += this.#owed
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
    this.#waiting = false
    const response = this.#response
    const text = this.#text
    this.#text = ''
    if (response.destroyed || response.writableEnded) return this.#taken()
    if (!response.headersSent) this.#writeHead(text)
    if (this.#ended) this.#finish(text)
    else if (text === '') response.flushHeaders()
    else response.write(text)
  }

  /** A client that stops taking its answer is not waited for. */
  #finish(text: string): void {
    const response = this.#response
    response.end(text)
    if (response.writableLength === 0) return this.#taken()
    response.setTimeout(this.#connection.options.patienceMs)
    response.once('close', () => this.#taken())
    this.#countUnsent()
  }

  #countUnsent(): void {
    this.#unsent = true
    this.#connection.options.traffic.owe(this)
  }

  #taken(): void {
    const connection = this.#connection
    if (this.#unsent) connection.options.traffic.settle(this)
    connection.owed = Math.max(0, connection.owed - this.#owed) // A client that has left owes nothing.
    this.#owed = 0
    if (connection.awaited) connection.proceed()
  }

  /** What is complete already has a length; what goes on is sent in chunks. */
  #writeHead(text: string): void {
    const { status, headers } = this.#head
    const sized = this.#ended && status !== 204 && status !== 304
    this.#response.writeHead(
      status,
      sized ? { 'content-length': Buffer.byteLength(text), ...headers } : headers,
    )
  }
}
