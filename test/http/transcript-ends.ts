import { setImmediate } from 'node:timers/promises'
import { isObject, type JsonObject, type Server } from '../../src/kernel/index.ts'
import { Inbox } from '../setup/inbox.ts'
import { type HttpEnd, PairEnd, SessionEnd, StatelessEnd, serveOnPort } from '../testing/http-ends.ts'
import type { End } from '../transcripts/play.ts'
import { FIRST_WITHOUT_HANDSHAKE, type RevisionId } from '../transcripts/revisions.ts'

const META_VERSION = 'io.modelcontextprotocol/protocolVersion'

/** Plays a transcript over HTTP: one POST a line, in the order of the lines. */
class TranscriptEnd implements End {
  readonly heard = new Inbox<string>()
  readonly names = {}
  readonly #http: HttpEnd
  readonly #arrivals: Arrivals
  #said: Promise<unknown> = Promise.resolve()

  constructor(http: HttpEnd, arrivals: Arrivals) {
    this.#http = http
    this.#arrivals = arrivals
  }

  say(line: string): void {
    this.#said = this.#said.then(() => this.#send(line))
  }

  /** Goes on when it has been answered, or when the server is at work on it. */
  async #send(line: string): Promise<void> {
    const atWork = this.#arrivals.next()
    await Promise.race([this.#answered(line), atWork])
  }

  /** What is no request is over when it has been sent, whatever else is still to be answered. */
  async #answered(line: string): Promise<void> {
    const before = this.#http.answered
    await this.#http.send(line)
    if (this.#http.answered !== before) await this.#http.answered
  }

  async finish(): Promise<void> {
    await this.#said
    for (let turn = 0; turn < 10; turn++) await setImmediate()
  }

  async close(): Promise<void> {
    await this.#http.leave()
    await this.#http.close()
  }
}

/** Transcripts leave out an id that could not be read, where the revision does; over HTTP it is always null. */
function withoutNull(text: string): string {
  const message: unknown = JSON.parse(text)
  return isObject(message) && message['id'] === null ? JSON.stringify({ ...message, id: undefined }) : text
}

/** Whatever its messages say, its headers name the revision. */
class TranscriptStatelessEnd extends StatelessEnd {
  protected override headersOf(message: JsonObject) {
    const params = isObject(message['params']) ? message['params'] : {}
    const meta = isObject(params['_meta']) ? params['_meta'] : {}
    const name = params['name'] ?? params['uri'] ?? params['taskId']
    return {
      'mcp-protocol-version': String(meta[META_VERSION] ?? FIRST_WITHOUT_HANDSHAKE),
      'mcp-method': String(message['method']),
      ...(typeof name === 'string' && { 'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=` }),
    }
  }
}

/** It may have asked for a revision that the server has not agreed to. */
class TranscriptSessionEnd extends SessionEnd {
  protected override versionOf() {
    return {}
  }
}

const ENDS = { 'post-only': TranscriptStatelessEnd, streamable: TranscriptSessionEnd, 'sse-pair': PairEnd }

export type Shape = keyof typeof ENDS

/** The shapes in which a revision is spoken over HTTP. */
export function shapesOf(revision: RevisionId): readonly Shape[] {
  if (revision === FIRST_WITHOUT_HANDSHAKE) return ['post-only']
  return revision === '2024-11-05' ? ['streamable', 'sse-pair'] : ['streamable']
}

export async function openHttp(server: Server, shape: Shape, revision: RevisionId): Promise<End> {
  const arrivals = new Arrivals()
  const watched = arrivals.watch(server)
  const hear = (text: string) => end.heard.push(revision < '2025-11-25' ? text : withoutNull(text))
  const http = new ENDS[shape](await serveOnPort(watched), { server: watched, hear, ended: () => {} })
  const end = new TranscriptEnd(http, arrivals)
  if (http instanceof PairEnd) await http.open()
  return end
}

/** Tells when a message has got as far as the server, and keeps it at work. */
class Arrivals {
  #arrived: () => void = () => {}

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = resolve
    })
  }

  watch(server: Server): Server {
    const open: Server['open'] = (opening) => {
      const link = server.open(opening)
      const receive = link.receive.bind(link)
      link.receive = (...args) => {
        const answered = receive(...args)
        if (!answered) this.#arrived()
        return answered
      }
      return link
    }
    return new Proxy(server, {
      get: (target, key) => (key === 'open' ? open : Reflect.get(target, key)),
    })
  }
}
