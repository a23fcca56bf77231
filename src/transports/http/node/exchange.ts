import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { NOT_UTF8, refuse, UNREAD } from '../answers.ts'
import { BodyBuffer } from '../body-buffer.ts'
import { bodyRefusals, MAX_PIECES } from '../body-refusals.ts'
import type { Exchange, HttpHeaders, Refusal, RefusalHooks, Sink } from '../exchange.ts'
import { LARGE } from '../traffic.ts'
import type { Connection } from './connection.ts'
import { printAnswer, sendFinal } from './final-answer.ts'
import { NodeResponse } from './response.ts'

/** An exchange over node:http. */
export class NodeExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly query: string
  hooks: RefusalHooks | undefined = undefined
  /** The host that the target of a request names itself, instead of its header (RFC 9112, 3.2.2). */
  readonly #authority: string | undefined
  readonly #request: IncomingMessage
  readonly #headers: IncomingHttpHeaders
  readonly #response: ServerResponse
  readonly #connection: Connection
  #outgoing: NodeResponse | undefined
  #body: BodyBuffer | undefined
  #whole: BodyBuffer | Refusal | undefined
  #whenWhole: ((body: string | Refusal) => void) | undefined

  /** A framework may have another idea of where a request goes to, and may have read the body already. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    connection: Connection,
    { url = request.url ?? '/', body }: { readonly url?: string; readonly body?: unknown } = {},
  ) {
    this.#request = request
    this.#headers = request.headers // Node makes them in a getter, and they are looked at a dozen times.
    this.#response = response
    this.#connection = connection
    if (body !== undefined) this.#whole = gathered(body)
    const { authority, target } = readTarget(url)
    this.#authority = authority
    const mark = target.indexOf('?')
    this.method = request.method ?? ''
    this.path = mark < 0 ? target : target.slice(0, mark)
    this.query = mark < 0 ? '' : target.slice(mark + 1)
  }

  get local() {
    const { localAddress = '', localPort = 0 } = this.#request.socket
    return { address: localAddress, port: localPort }
  }

  get remote(): string | undefined {
    return this.#request.socket.remoteAddress
  }

  header(name: string): string | undefined {
    if (name === 'host' && this.#authority !== undefined) return this.#authority
    const value = this.#headers[name]
    if (value === undefined) return undefined
    if (name === 'host' || name === 'origin') return this.#isRepeated(name) ? 'several' : (value as string)
    if (name === 'authorization' && this.#isRepeated(name))
      return this.#request.headersDistinct[name]?.join(', ')
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** Of several Hosts, Origins or Authorizations Node gives the first; a request with two is trying something. */
  #isRepeated(name: string): boolean {
    const { rawHeaders } = this.#request
    let count = 0
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const raw = rawHeaders[at]
      if (raw?.length === name.length && raw.toLowerCase() === name) count++
    }
    return count > 1
  }

  readBody(limit: number, done: (body: string | Refusal) => void): void {
    if (this.#headers.expect !== undefined && !this.#announcesMore(limit)) this.#response.writeContinue()
    this.#whenWhole = done
    if (this.#whole instanceof BodyBuffer && this.#whole.length > limit) this.#whole = tooLarge(limit)
    if (this.#whole === undefined) this.gather(limit)
    else this.#settleBody(this.#whole)
  }

  /** Begins to read before its turn has come: only a connection that is read tells when its client leaves. */
  gather(limit: number): void {
    if (this.#body !== undefined) return
    const request = this.#request
    const body = new BodyBuffer()
    this.#body = body
    if (this.#announcesMore(limit)) {
      request.resume()
      return this.#settleBody(tooLarge(limit))
    }
    let pieces = 0
    request.on('data', (piece: Buffer) => {
      if (this.#whole !== undefined) return
      if (++pieces > MAX_PIECES) return this.#settleBody(TOO_MANY_PIECES)
      body.add(piece)
      this.#connection.options.traffic.arrive(this.#connection, piece.length)
      if (body.length > limit) this.#settleBody(tooLarge(limit))
    })
    request.on('end', () => this.#settleBody(body))
  }

  /** Whether it is still being read. */
  get arriving(): boolean {
    return this.#body !== undefined && this.#whole === undefined
  }

  turnAway(): void {
    this.#settleBody(TURNED_AWAY)
  }

  /** Tells the client that it is the last on this connection. */
  announceEnd(): void {
    this.#response.shouldKeepAlive = false
  }

  #announcesMore(limit: number): boolean {
    return Number(this.#headers['content-length'] ?? 0) > limit
  }

  /** What has arrived is the handler's when it asks for it. */
  #settleBody(whole: BodyBuffer | Refusal): void {
    this.#whole ??= whole
    if (this.#whenWhole === undefined) return
    const done = this.#whenWhole
    this.#whenWhole = undefined
    this.#connection.options.traffic.taken(this.#connection, this.#body?.length ?? 0)
    done(this.#whole instanceof BodyBuffer ? decode(this.#whole) : this.#whole)
  }

  answer(status: number, headers: HttpHeaders, body?: string): void {
    const response = this.#response
    if (this.#outgoing !== undefined || response.destroyed) return
    if (headers['connection'] === 'close' && !this.#request.complete && response.socket !== null) {
      if (this.#whole === TOO_MANY_PIECES) response.socket.pause()
      else this.#request.resume()
      return sendFinal(response.socket, printAnswer(status, headers, body))
    }
    if (body !== undefined && body.length > LARGE && this.#connection.options.traffic.full)
      return refuse(this, UNREAD)
    this.#outgoing = new NodeResponse(response, status, headers, this.#connection)
    this.#outgoing.end(body)
  }

  stream(headers: HttpHeaders): Sink {
    this.#outgoing ??= new NodeResponse(this.#response, 200, headers, this.#connection)
    this.#outgoing.write('') // A client that waits for the stream hears that it is open.
    return this.#outgoing
  }

  onGone(run: () => void): void {
    const response = this.#response
    if (response.destroyed && !response.writableFinished) return queueMicrotask(run)
    response.on('close', () => {
      if (!response.writableFinished) run()
    })
  }
}

/** What a framework made of the body, as bytes again. */
function gathered(body: unknown): BodyBuffer {
  const text = body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body)
  const whole = new BodyBuffer()
  whole.add(typeof text === 'string' ? Buffer.from(text) : text)
  return whole
}

interface Target {
  readonly authority: string | undefined
  readonly target: string
}

/** Nearly every request names a path alone; a proxy may be sent, and pass on, a whole address. */
function readTarget(url: string): Target {
  if (url.startsWith('/')) return { authority: undefined, target: url }
  const [, authority, target] = /^http:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  return { authority, target: authority === undefined ? url : target || '/' }
}

const CLOSE = { connection: 'close' }

const { tooLarge, tooManyPieces: TOO_MANY_PIECES, turnedAway: TURNED_AWAY } = bodyRefusals(CLOSE)

const REPLACEMENT = '\ufffd'
const BYTE_ORDER_MARK = '\ufeff'

/** Bytes that are not UTF-8 show as replacement characters, unless the client has sent those itself. */
function decode(gathered: BodyBuffer): string | Refusal {
  const { buffer, byteOffset, length } = gathered.take()
  const bytes = Buffer.from(buffer, byteOffset, length)
  const text = bytes.toString()
  gathered.release()
  if (text.includes(REPLACEMENT) && !isUtf8(bytes)) return NOT_UTF8
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}
