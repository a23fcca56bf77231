import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DevChild } from './child.ts'
import type { DevConsole } from './dev-console.ts'
import { type ClientExchange, forward, isEventStream, type TakenRequest } from './forward.ts'
import { accept, PairChild, type PairPost } from './pair-child.ts'
import { Pipe } from './pipe.ts'

/** A client of 2024-11-05: it hears on one answer and posts to where it was told once, whichever child speaks. */
export class Pair {
  readonly #opened: ClientExchange
  readonly #children = new Map<DevChild, PairChild>()
  readonly pipe: Pipe
  /** What the client has posted last: later ones are posted as it was. */
  #last: TakenRequest
  /** What waits for code that loads, as it was posted. */
  readonly #posted = new Map<string, TakenRequest>()
  /** Who has posted what is being handed on right now, until the child answers. */
  #poster: ServerResponse | undefined

  constructor(opened: ClientExchange, console: DevConsole | undefined) {
    const { response, taken } = opened
    this.#opened = opened
    this.#last = taken
    this.pipe = new Pipe({
      send: (line) => this.#write(`event: message\ndata: ${line}`),
      sayStray: () => {}, // Nobody writes past a server there.
      lose: (child, lost) => void console?.lose(child, { ...lost, transport: 'http' }),
    })
    response.on('drain', () => this.pipe.resume())
    response.on('close', () => {
      for (const child of this.#children.values()) child.close()
    })
  }

  /** Takes the stream of the first child; gives the name that the client knows the pair by. */
  async begin(child: DevChild, upstream: IncomingMessage): Promise<string | undefined> {
    const first = this.#attach(child, upstream)
    const endpoint = await first.endpoint
    if (endpoint === undefined) return void this.#opened.response.end()
    this.#write(`event: endpoint\ndata: ${endpoint}`)
    await this.pipe.move(first)
    return nameIn(endpoint)
  }

  /** Has the next child go on with it. */
  async move(child: DevChild): Promise<void> {
    const upstream = await forward(child, this.#opened.taken).catch(() => undefined)
    if (upstream === undefined || !isEventStream(upstream)) return void this.#opened.response.end()
    const next = this.#attach(child, upstream)
    if ((await next.endpoint) !== undefined) await this.pipe.move(next)
  }

  /** What the client says: the child's answer is the client's, unless what was said has to wait. */
  take({ taken, response }: ClientExchange): void {
    const line = taken.body.toString().replaceAll(/\r?\n/g, ' ')
    this.#last = taken
    this.#posted.set(`${line}\n`, taken)
    this.#poster = response
    this.pipe.hear(line)
    if (!this.pipe.waits) this.#posted.clear()
    if (this.#poster === undefined) return
    this.#poster = undefined
    accept(response)
  }

  release(): void {
    this.pipe.release()
    this.#posted.clear()
  }

  lost(child: DevChild, why: string): void {
    const found = this.#children.get(child)
    if (found !== undefined) this.pipe.lost(found, why)
    this.#children.delete(child)
  }

  async settle(child: DevChild): Promise<void> {
    const found = this.#children.get(child)
    if (found === undefined) return
    await this.pipe.settle(found)
    this.#children.delete(child)
    found.retire()
  }

  #attach(child: DevChild, upstream: IncomingMessage): PairChild {
    const attached = new PairChild({
      child,
      upstream,
      postOf: (line) => this.#postOf(line),
      beat: (event) => this.#write(event),
    })
    this.#children.set(child, attached)
    upstream.on('end', () => {
      // Whoever serves has ended it; one that is replaced, or has crashed, has not.
      if ([...this.#children.keys()].at(-1) === child) this.#opened.response.end()
    })
    return attached
  }

  #postOf(line: string): PairPost {
    const post = { taken: this.#posted.get(line) ?? this.#last, response: this.#poster }
    this.#posted.delete(line)
    this.#poster = undefined
    return post
  }

  #write(event: string): void {
    if (!this.#opened.response.write(`${event}\n\n`)) this.pipe.pause()
  }
}

/** The name of a pair, in the address that its client posts to. */
export function nameIn(path: string): string | undefined {
  return new URLSearchParams(path.replace(/^[^?]*/, '')).get('sessionId') ?? undefined
}
