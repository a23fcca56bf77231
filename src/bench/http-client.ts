import { Buffer } from 'node:buffer'
import type { JsonObject, Revision } from '../kernel/index.ts'
import { NoAnswerError } from './errors.ts'
import { LoadConnection } from './http-connection.ts'
import { HttpFlood } from './http-flood.ts'
import type { Load } from './load.ts'
import { type BenchRequest, FIRST_ID, OPENED, opening, printRequest, type ServerMessage } from './messages.ts'

export interface HttpClientOptions {
  readonly url: URL
  readonly revision: Revision
  /** Further headers, each a line: `X-Key: secret`. */
  readonly headers?: readonly string[]
}

export interface HttpAnswer {
  readonly status: number
  readonly head: string
  readonly messages: readonly ServerMessage[]
}

interface Printed {
  readonly verb: 'POST' | 'GET'
  readonly session: string
  readonly body?: string
  readonly headers?: readonly string[]
}

const ANSWER_MS = 20_000

/** A client of one server over HTTP; it has as many sessions and connections as it is asked for. */
export class HttpClient {
  readonly #url: URL
  readonly #revision: Revision
  readonly #headers: readonly string[]
  /** The revision that was agreed on; a server may know an older one only. */
  #version: string

  constructor({ url, revision, headers = [] }: HttpClientOptions) {
    this.#url = url
    this.#revision = revision
    this.#headers = headers
    this.#version = revision.id
  }

  connect(): LoadConnection {
    return new LoadConnection(this.#url)
  }

  /** Opens a session; gives its id, or an empty one where the server or the revision has none. */
  async openSession(connection: LoadConnection): Promise<string> {
    const { status, head, messages } = await this.post(connection, opening(this.#revision))
    if (messages[0]?.result === undefined)
      throw new Error(`the server refused to open: ${status} ${JSON.stringify(messages[0]?.error ?? '')}`)
    if (this.#revision.opening !== 'handshake') return ''
    this.#version = String(messages[0].result['protocolVersion'])
    const session = /\r\nmcp-session-id: *([^\r\n]+)/i.exec(head)?.[1] ?? ''
    const next = connection.open ? connection : this.connect()
    await exchange(next, this.#print({ verb: 'POST', session, body: OPENED }))
    if (next !== connection) next.close()
    return session
  }

  async ask(connection: LoadConnection, asked: BenchRequest, session = ''): Promise<JsonObject> {
    const { status, messages } = await this.post(connection, asked, session)
    const answer = messages.find(({ id, method }) => id === FIRST_ID && method === undefined)
    if (answer?.result !== undefined) return answer.result
    throw new Error(`${asked.method}: ${status} ${JSON.stringify(answer?.error ?? '')}`)
  }

  post(connection: LoadConnection, asked: BenchRequest, session = ''): Promise<HttpAnswer> {
    return exchange(connection, this.#printAsked(asked, session))
  }

  /** Opens the stream of what belongs to no call; `heard` is told of every piece of it. */
  openStream(session: string, heard: (bytes: Buffer) => void): Promise<LoadConnection> {
    const connection = this.connect()
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('the stream did not open')), ANSWER_MS)
      connection.send(this.#print({ verb: 'GET', session }), {
        body: heard,
        begun: (status) => {
          clearTimeout(late)
          if (status === 200) resolve(connection)
          else reject(new Error(`the stream was refused: ${status}`))
        },
        ended: () => {},
      })
    })
  }

  /** One call at a time on each of so many connections, until it is stopped. */
  flood(asked: BenchRequest, connections: number, sessions: readonly string[]): Load {
    const flood = new HttpFlood(connections)
    for (let at = 0; at < connections; at++) {
      const request = Buffer.from(this.#printAsked(asked, sessions[at % sessions.length] ?? ''))
      flood.run(request, FIRST_ID + at * 100_000, () => this.connect())
    }
    return flood
  }

  #printAsked(asked: BenchRequest, session: string): string {
    const headers = this.#revision.opening === 'handshake' ? [] : methodHeaders(asked)
    return this.#print({ verb: 'POST', session, body: printRequest(this.#revision, asked), headers })
  }

  #print({ verb, session, body = '', headers = [] }: Printed): string {
    const { host, pathname, search } = this.#url
    const lines = [
      `${verb} ${pathname}${search} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: keep-alive',
      `Accept: ${verb === 'GET' ? '' : 'application/json, '}text/event-stream`,
      `MCP-Protocol-Version: ${this.#version}`,
      ...(session === '' ? [] : [`Mcp-Session-Id: ${session}`]),
      ...(verb === 'GET'
        ? []
        : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
      ...headers,
      ...this.#headers,
    ]
    return `${lines.join('\r\n')}\r\n\r\n${body}`
  }
}

function methodHeaders({ method, params }: BenchRequest): readonly string[] {
  const { name } = params
  return [`Mcp-Method: ${method}`, ...(typeof name === 'string' ? [`Mcp-Name: ${name}`] : [])]
}

function exchange(connection: LoadConnection, request: string): Promise<HttpAnswer> {
  const parts: Buffer[] = []
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new NoAnswerError(`no answer in ${ANSWER_MS / 1000} s`)), ANSWER_MS)
    connection.send(request, {
      body: (bytes) => parts.push(bytes),
      ended: (how) => {
        clearTimeout(late)
        if ('error' in how) return reject(how.error)
        const messages = parseBody(how.head, Buffer.concat(parts).toString())
        resolve({ ...how, messages })
      },
    })
  })
}

/** The messages of an answer, in JSON or as events. */
function parseBody(head: string, text: string): readonly ServerMessage[] {
  if (!/\r\ncontent-type: *text\/event-stream/i.test(head)) return parseTexts([text])
  return parseTexts(text.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : [])))
}

function parseTexts(texts: readonly string[]): readonly ServerMessage[] {
  return texts.flatMap((text) => {
    try {
      return [JSON.parse(text) as ServerMessage]
    } catch {
      return [] // An empty event, or a page that is no message: whoever asked finds no answer in it.
    }
  })
}
