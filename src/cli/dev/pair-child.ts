import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { parse } from '../../kernel/index.ts'
import type { DevChild } from './child.ts'
import { begin, errorsFor, forward, type TakenRequest } from './forward.ts'
import type { HostSpeaker } from './speaker.ts'
import { fieldOf, splitEvents } from './split-events.ts'
import { requestsIn } from './underway.ts'

export interface PairPost {
  readonly taken: TakenRequest
  /** Undefined where it has been answered already. */
  readonly response: ServerResponse | undefined
}

interface PairChildOptions {
  readonly child: DevChild
  readonly upstream: IncomingMessage
  /** The client's request that a line came with, and who waits for the answer to it. */
  readonly postOf: (line: string) => PairPost
  /** Takes what is neither a message nor the endpoint. */
  readonly beat: (event: string) => void
}

/** A child's end of an SSE pair: what is written is posted, and what is told on the stream is read. */
export class PairChild implements HostSpeaker {
  readonly input = { write: (line: string) => this.#post(line) }
  readonly output = new PassThrough()
  /** Where to post, once it has said so; undefined where it never does. */
  readonly endpoint: Promise<string | undefined>
  readonly #options: PairChildOptions
  /** One after the other, in the order in which they were said. */
  #posting: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: PairChildOptions) {
    this.#options = options
    this.endpoint = this.#read(options.upstream)
  }

  get number(): number {
    return this.#options.child.number
  }

  get isGone(): boolean {
    return this.#isClosed || this.#options.child.isGone
  }

  get lastWords(): string {
    return this.#options.child.lastWords
  }

  close(): void {
    this.#isClosed = true
    this.#options.upstream.destroy()
  }

  /** Another speaks in its place: its own stream is not broken off, since its process would take that for the client's end. */
  retire(): void {
    this.#isClosed = true
    this.#options.upstream.removeAllListeners('data').resume()
  }

  #read(upstream: IncomingMessage): Promise<string | undefined> {
    return new Promise((resolve) => {
      splitEvents(upstream, (event) => {
        const data = fieldOf(event, 'data')
        if (data === undefined) this.#options.beat(event)
        else if (fieldOf(event, 'event') === 'endpoint') resolve(data)
        else this.output.write(`${data}\n`)
      })
      upstream.on('error', () => {}) // Its child is gone, which whoever has started it hears of.
      upstream.on('close', () => resolve(undefined))
    })
  }

  #post(line: string): void {
    const post = this.#options.postOf(line)
    const text = line.trimEnd()
    this.#posting = this.#posting.then(async () => {
      const reason = await this.#say(post, Buffer.from(text))
      if (reason === undefined) return
      for (const error of errorsFor(requestsIn(parse(text)), reason)) this.output.write(`${error}\n`)
    })
  }

  /** Gives why it was not taken, where it was not. */
  async #say({ taken, response }: PairPost, body: Buffer): Promise<string | undefined> {
    const path = await this.endpoint
    const request = { ...taken, method: 'POST', path: path ?? '', body }
    const answer =
      path === undefined ? undefined : await forward(this.#options.child, request).catch(() => undefined)
    if (answer === undefined) {
      // Its child is gone: what that leaves unanswered is told of on the stream.
      if (response !== undefined) accept(response)
      return undefined
    }
    if (response !== undefined) begin(response, answer)
    answer.pipe(response ?? new PassThrough().resume())
    return answer.statusCode === 202 ? undefined : `The call was not taken: ${answer.statusCode}`
  }
}

/** What is said is taken; the answer comes on the stream. */
export function accept(response: ServerResponse): void {
  response.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted')
}
