import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { parse, type Request } from '../../kernel/index.ts'
import { BytePieces } from '../../transports/byte-pieces.ts'
import { REMOTE } from '../../transports/http/node/exchange.ts'
import type { DevChild } from './child.ts'
import { errorAnswer } from './error-answer.ts'
import { requestsIn } from './underway.ts'

/** A request that was taken from a client, whole, so that it can be made again. */
export interface TakenRequest {
  readonly method: string
  readonly path: string
  /** As they came: what comes twice is for the child to judge. */
  readonly headers: readonly string[]
  readonly body: Buffer
  /** The session it belongs to, where it says so. */
  readonly session: string | undefined
  /** What it asks for, where it is one or more requests of MCP. */
  readonly asks: readonly Request[]
}

/** A request of a client's, and where its answer goes. */
export interface ClientExchange {
  readonly taken: TakenRequest
  readonly response: ServerResponse
}

/** What belongs to one connection and not to what travels on it. */
const HOP =
  /^(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade|te|trailer|expect|content-length)$/i

/** A child refuses what is too long for it; whatever is longer still is not handed to it. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Undefined where there is more than anybody takes, or than there is room for. */
export async function takeRequest(
  message: IncomingMessage,
  room: (bytes: number) => boolean,
): Promise<TakenRequest | undefined> {
  const taken = new BytePieces()
  const remote = remoteOf(message)
  // Whoever is refused is to read the answer.
  for await (const part of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (taken.length + part.length > MAX_BODY_BYTES || !room(part.length)) return undefined
    taken.add(part)
  }
  const body = Buffer.from(taken.take())
  return {
    method: message.method ?? 'GET',
    path: message.url ?? '/',
    headers: [...without(withoutHops(message.rawHeaders), REMOTE), ...remote],
    body,
    session: message.headersDistinct['mcp-session-id']?.[0],
    asks: message.method === 'POST' ? requestsIn(parse(body.toString())) : [],
  }
}

/** Has a child answer; rejects where it cannot. */
export function forward(child: DevChild, taken: TakenRequest, lastEvent?: string): Promise<IncomingMessage> {
  const { method, path, body } = taken
  const length = body.length === 0 && method !== 'POST' ? [] : ['Content-Length', String(body.length)]
  const place = lastEvent === undefined ? [] : ['Last-Event-ID', lastEvent]
  const headers = [...without(taken.headers, place[0]), ...length, ...place]
  return new Promise((resolve, reject) => {
    const outgoing = request({
      socketPath: child.socket,
      method,
      path,
      headers,
      agent: false,
      setHost: false,
    })
    outgoing.on('response', resolve).on('error', reject)
    outgoing.end(body)
  })
}

export function isEventStream({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 200 && headers['content-type']?.startsWith('text/event-stream') === true
}

/** The beginning of a child's answer, as it is. */
export function begin(
  response: ServerResponse,
  { statusCode = 502, rawHeaders, headers }: IncomingMessage,
): void {
  const length = headers['content-length']
  response.writeHead(statusCode, [
    ...withoutHops(rawHeaders),
    ...(length === undefined ? [] : ['Content-Length', length]),
  ])
  response.flushHeaders()
}

/** Says something else in the place of what a child answers. */
export function answerInstead(response: ServerResponse, upstream: IncomingMessage, text: string): void {
  upstream.destroy()
  const { statusCode = 502, rawHeaders } = upstream
  const headers = without(withoutHops(rawHeaders), 'etag')
  response.writeHead(statusCode, [...headers, 'Content-Length', String(Buffer.byteLength(text))])
  response.end(text)
}

/** An error for each request that will not be answered otherwise. */
export function errorsFor(asks: readonly Request[], message: string): readonly string[] {
  return asks.map(({ id }) => JSON.stringify(errorAnswer(id, message)))
}

function remoteOf({ socket: { remoteAddress } }: IncomingMessage): readonly string[] {
  return remoteAddress === undefined ? [] : [REMOTE, remoteAddress]
}

function withoutHops(raw: readonly string[]): readonly string[] {
  return raw.filter((_text, at) => !HOP.test(raw[at - (at % 2)] ?? ''))
}

function without(raw: readonly string[], name: string | undefined): readonly string[] {
  if (name === undefined) return raw
  return raw.filter((_text, at) => raw[at - (at % 2)]?.toLowerCase() !== name.toLowerCase())
}
