import type { ServerResponse } from 'node:http'
import type { HttpHeaders, Sink } from '../exchange.ts'
import { LARGE } from '../traffic.ts'
import type { Connection } from './connection.ts'

/** Characters of a stream that are kept back at most. */
const MAX_KEPT = 64 * 1024

/** What the head of an answer adds to it, roughly. */
const HEAD = 256

/** How long an answer may wait for others that take their time to be found. */
const MAX_WAIT_MS = 1

/**
 * What is said while requests are being read leaves when all of them have been: a client that is woken once
 * for several answers costs both sides less than one that is woken for each.
 */
let waiting: NodeResponse[] = []
let waitingSince = 0

export function flushAll(): void {
  const leaving = waiting
  waiting = []
  for (const outgoing of leaving) outgoing.leave()
}

/** An answer on its way out over node:http. */
export class NodeResponse implements Sink {
  readonly #response: ServerResponse
  readonly #status: number
  readonly #headers: HttpHeaders
  readonly #connection: Connection
  #text = ''
  #owed = 0
  #ended = false
  #waiting = false

  constructor(response: ServerResponse, status: number, headers: HttpHeaders, connection: Connection) {
    this.#response = response
    this.#status = status
    this.#headers = headers
    this.#connection = connection
  }

  get unread(): number {
    return this.#response.writableLength + this.#text.length
  }

  write(text: string): void {
    if (this.#ended) return
    this.#text += text
    if (this.#text.length > MAX_KEPT) this.leave()
    else this.#leaveSoon()
  }

  drained(run: () => void): void {
    this.leave()
    if (this.#response.writableNeedDrain) this.#response.once('drain', run)
    else run()
  }

  end(text = ''): void {
    if (this.#ended) return
    this.#text += text
    this.#ended = true
    this.#owed = HEAD + this.#text.length
    if (this.#owed > LARGE) this.#connection.options.traffic.owe(this)
    this.#leaveSoon()
    this.#connection.answered(this.#owed)
  }

  destroy(): void {
    this.#response.destroy()
  }

  #leaveSoon(): void {
    if (this.#waiting) return
    this.#waiting = true
    const now = performance.now()
    if (waiting.push(this) === 1) {
      waitingSince = now
      setImmediate(flushAll)
    } else if (now - waitingSince > MAX_WAIT_MS) flushAll()
  }

  leave(): void {
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
    const { traffic, patienceMs } = this.#connection.options
    const response = this.#response
    response.end(text)
    if (response.writableLength === 0) return this.#taken()
    response.setTimeout(patienceMs)
    response.once('close', () => this.#taken())
    traffic.owe(this)
  }

  #taken(): void {
    this.#connection.options.traffic.settle(this)
    this.#connection.sent(this.#owed)
    this.#owed = 0
  }

  /** What is complete already has a length; what goes on is sent in chunks. */
  #writeHead(text: string): void {
    const sized = this.#ended && this.#status !== 204
    const headers = sized ? { 'content-length': Buffer.byteLength(text), ...this.#headers } : this.#headers
    this.#response.writeHead(this.#status, headers)
  }
}
