import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Departure } from './departure.ts'
import type { Exchange, HttpHeaders, Refusal, Sink } from './exchange.ts'
import { printAnswer, sendLast } from './last-words.ts'
import { refusal } from './refuse.ts'

/** An exchange over node:http. */
export class NodeExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly #request: IncomingMessage
  readonly #headers: IncomingHttpHeaders
  readonly #response: ServerResponse
  readonly #patienceMs: number
  #departure: Departure | undefined

  constructor(request: IncomingMessage, response: ServerResponse, patienceMs: number) {
    this.#request = request
    this.#headers = request.headers // Node makes them in a getter, and they are looked at a dozen times.
    this.#response = response
    this.#patienceMs = patienceMs
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    this.method = request.method ?? ''
    this.path = mark < 0 ? url : url.slice(0, mark)
    this.query = mark < 0 ? '' : url.slice(mark + 1)
  }

  get local() {
    const { localAddress = '', localPort = 0 } = this.#request.socket
    return { address: localAddress, port: localPort }
  }

  header(name: string): string | undefined {
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
    const request = this.#request
    const tooLarge = () =>
      refusal(413, `Content too large: a body may have ${limit} bytes`, { connection: 'close' })
    if (Number(this.#headers['content-length'] ?? 0) > limit) return done(tooLarge())
    if (this.#headers.expect !== undefined) this.#response.writeContinue()
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      const fitted = length <= limit
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else if (fitted) done(tooLarge())
    })
    request.on('end', () => {
      if (length <= limit) done(decode(chunks))
    })
  }

  answer(status: number, headers: HttpHeaders, body?: string): void {
    const response = this.#response
    if (this.#departure !== undefined || response.destroyed) return
    if (headers['connection'] === 'close' && !this.#request.complete && response.socket !== null) {
      this.#request.resume()
      return sendLast(response.socket, printAnswer(status, headers, body))
    }
    this.#departure = new Departure(response, status, headers, this.#patienceMs)
    this.#departure.end(body)
  }

  stream(headers: HttpHeaders): Sink {
    this.#departure ??= new Departure(this.#response, 200, headers, this.#patienceMs)
    this.#departure.write('') // A client that waits for the stream hears that it is open.
    return this.#departure
  }

  onGone(run: () => void): void {
    const response = this.#response
    if (response.destroyed && !response.writableFinished) return queueMicrotask(run)
    response.on('close', () => {
      if (!response.writableFinished) run()
    })
  }
}

const REPLACEMENT = '\ufffd'
const BYTE_ORDER_MARK = '\ufeff'

/** Bytes that are not UTF-8 show as replacement characters, unless the client has sent those itself. */
function decode(chunks: readonly Buffer[]): string | Refusal {
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
  const text = bytes.toString()
  if (text.includes(REPLACEMENT) && !isUtf8(bytes)) return refusal(400, 'Bad request: the body is not UTF-8')
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}
