import type { IncomingMessage, ServerResponse } from 'node:http'
import { LARGE } from '../../traffic.ts'
import { refuse, UNREAD } from '../answers.ts'
import type { BodySink, HttpHeaders, RefusalHooks, StreamWatch } from '../exchange.ts'
import { type BodyParts, joinParts, type PartedExchange, sizeOf } from '../parts.ts'
import { dropBody, limitPieces, NodeBody } from './body.ts'
import { endUnsent, whenBroken } from './broken.ts'
import type { NodeConnection } from './connection.ts'
import { printAnswer, sendFinal } from './final-answer.ts'
import { NodeResponse } from './response.ts'

/** Takes up a request. */
export type Take = (exchange: NodeExchange) => void

/** A request that is taken up later. */
export interface QueuedRequest {
  readonly exchange: NodeExchange
  readonly take: Take
}

/** A request as `node:http` hands it out. */
export interface NodeRequest {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  /** Where it goes to, if a framework has another idea of that. */
  readonly url?: string
  /** The body, if a framework has read it already. */
  readonly body?: unknown
  /** Whether the client waits to be told to go on, and nobody has told it. */
  readonly expects?: boolean
}

/** The header by which whoever holds the address says where a request came from; what a client says by it is not handed on. */
export const REMOTE = 'perigee-remote'

/** An exchange over node:http. */
export class NodeExchange implements PartedExchange {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: HttpHeaders
  readonly ownHosts: readonly string[]
  /** What its head takes in memory until it is answered, roughly. */
  readonly weight: number
  hooks: RefusalHooks | undefined = undefined
  readonly #request: NodeRequest
  readonly #message: IncomingMessage
  readonly #response: ServerResponse
  readonly #connection: NodeConnection
  #body: NodeBody | undefined
  #outgoing: NodeResponse | undefined

  constructor(request: NodeRequest, connection: NodeConnection) {
    const { message, response, url = message.url as string } = request // One that came has one.
    this.#request = request
    this.#message = message
    this.#response = response
    this.#connection = connection
    const { authority, target } = readTarget(url)
    const mark = target.indexOf('?')
    this.method = message.method ?? ''
    this.path = mark < 0 ? target : target.slice(0, mark)
    this.query = mark < 0 ? '' : target.slice(mark + 1)
    this.headers = readHeaders(message, authority)
    this.ownHosts = connection.ownHosts
    this.weight = weighHead(message.rawHeaders)
    connection.options.traffic.keep(connection, this.weight)
    if (this.headers['transfer-encoding'] !== undefined) limitPieces(message)
  }

  /** Made for whoever reads it first: most of what is refused, and every GET, goes without. */
  get body(): NodeBody {
    this.#body ??= new NodeBody(this.#request, this.#connection)
    return this.#body
  }

  get secure(): boolean {
    return 'encrypted' in this.#message.socket
  }

  /** Who holds the address for us says it, since the connection is its own. */
  get remote(): string | undefined {
    const isHanded = this.#connection.options.hosts !== undefined
    return isHanded ? this.headers[REMOTE] : this.#message.socket.remoteAddress
  }

  /** Whether all of the request has come. */
  get isWhole(): boolean {
    return this.#message.complete
  }

  /** Whether its answer is being written. */
  get answering(): boolean {
    return this.#response.headersSent
  }

  /** Tells the client that it is the last on this connection. */
  announceEnd(): void {
    this.#response.shouldKeepAlive = false
  }

  answer(status: number, headers: HttpHeaders, body?: string): void {
    this.#answer(status, headers, body)
  }

  answerInParts(status: number, headers: HttpHeaders, body: BodyParts): void {
    this.#answer(status, headers, body)
  }

  #answer(status: number, headers: HttpHeaders, body?: string | BodyParts): void {
    const response = this.#response
    // Node says of an answer that has to wait for another one nothing when its client leaves.
    if (this.#outgoing !== undefined || response.destroyed || this.#connection.socket.destroyed) return
    if (!this.#message.complete || (this.#body !== undefined && this.#body.counted > 0)) this.letGo()
    if (headers['connection'] === 'close' && !this.#message.complete && response.socket !== null)
      return sendFinal(response.socket, printAnswer(status, headers, joinParts(body)))
    if (body !== undefined && sizeOf(body) > LARGE && this.#connection.options.traffic.full)
      return refuse(this, UNREAD)
    this.#outgoing = new NodeResponse(response, this.#connection, { status, headers })
    this.#outgoing.end(body)
  }

  stream(headers: HttpHeaders, watch: StreamWatch): BodySink {
    this.#outgoing = new NodeResponse(this.#response, this.#connection, { status: 200, headers, watch })
    return this.#outgoing
  }

  /** Nobody will ask for its body, or for the rest of it. */
  letGo(): void {
    if (this.#body !== undefined) this.#body.letGo()
    else if (hasBody(this.headers)) dropBody(this.#message)
  }

  /** Its client has left. */
  leave(): void {
    this.letGo()
    endUnsent(this.#response)
  }

  onGone(run: () => void): void {
    whenBroken(this.#response, run)
  }
}

function hasBody(headers: HttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

/** What a name or a value of a header takes beside its letters. */
const FIELD = 32

function weighHead(rawHeaders: readonly string[]): number {
  let weight = FIELD * rawHeaders.length
  for (const text of rawHeaders) weight += text.length
  return weight
}

interface RequestTarget {
  /** The host that the target of a request names itself, instead of its header (RFC 9112, 3.2.2). */
  readonly authority: string | undefined
  readonly target: string
}

/** Nearly every request names a path alone; a proxy may be sent, and pass on, a whole address. */
function readTarget(url: string): RequestTarget {
  if (url.startsWith('/')) return { authority: undefined, target: url }
  const [, authority, target = ''] = /^http:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  if (authority === undefined) return { authority, target: url }
  return { authority, target: target.startsWith('/') ? target : `/${target}` }
}

/** Nearly always as Node has read them: then nothing is copied. */
function readHeaders(message: IncomingMessage, authority: string | undefined): HttpHeaders {
  const { headers, rawHeaders } = message
  if (authority === undefined && headers['set-cookie'] === undefined && !repeatsSingle(rawHeaders))
    return headers as HttpHeaders // Cookies that are set are the only list.
  return rereadHeaders(message, authority)
}

/** Headers that come once, by the length of their names. */
const SINGLE: { readonly [length: number]: string } = { 4: 'host', 6: 'origin', 13: 'authorization' }

/** Of several Hosts, Origins or Authorizations Node gives the first; a request with two is trying something. */
function repeatsSingle(rawHeaders: readonly string[]): boolean {
  let seen = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const single = SINGLE[name.length]
    if (single === undefined || name.toLowerCase() !== single) continue
    const bit = 1 << name.length
    if ((seen & bit) !== 0) return true
    seen |= bit
  }
  return false
}

function rereadHeaders(message: IncomingMessage, authority: string | undefined): HttpHeaders {
  const read: { [name: string]: string } = {}
  for (const [name, value = ''] of Object.entries(message.headers)) read[name] = String(value)
  const { host, origin, authorization, 'set-cookie': cookies } = message.headersDistinct
  if (host !== undefined && host.length > 1) read['host'] = 'several'
  if (origin !== undefined && origin.length > 1) read['origin'] = 'several'
  if (authorization !== undefined) read['authorization'] = authorization.join(', ')
  if (cookies !== undefined) read['set-cookie'] = cookies.join(', ')
  if (authority !== undefined) read['host'] = authority
  return read
}
