import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAtLeast, type LogLevel } from '../../kernel/index.ts'
import type { DevChild } from './child.ts'
import type { DevConsole } from './dev-console.ts'
import { errorAnswer } from './error-answer.ts'
import {
  begin,
  type ClientExchange,
  errorsFor,
  forward,
  isEventStream,
  type TakenRequest,
  takeRequest,
} from './forward.ts'
import { HeldBodies } from './held-bodies.ts'
import { HeldStream } from './held-stream.ts'
import type { DevNotice, Seat } from './keeper.ts'
import { opensPair, Pairs } from './pairs.ts'

/** How long requests wait for new code before the old one answers them, or for any before they are refused. */
const HOLD_MS = 5000

/** How long after its connections a process may end. */
const EXIT_MS = 1000

/** Sessions whose log level is known; of others only errors are told. */
const MOST_LEVELS = 1000

interface PortOptions {
  /** Told of every child that takes over. */
  readonly took?: ((child: DevChild) => void) | undefined
  /** What is to be seen of all children. */
  readonly console?: DevConsole | undefined
}

/** Many clients at one port, and whichever child answers them. */
export class Port implements Seat {
  readonly #options: PortOptions
  readonly #streams = new Set<HeldStream>()
  readonly #pairs: Pairs
  readonly #busy = new Map<DevChild, number>()
  readonly #waiting = new Set<() => void>()
  readonly #levels = new Map<string, LogLevel>()
  readonly #whenIdle = new Map<DevChild, () => void>()
  readonly #bodies = new HeldBodies()
  #current: DevChild | undefined
  #isHeld = true
  /** Whoever comes before there has been anybody to answer waits for as long as it takes. */
  #hasServed = false
  readonly #reasons = new WeakMap<DevChild, string>()
  #whyDown = 'it has not started yet'

  constructor(options: PortOptions = {}) {
    this.#options = options
    this.#pairs = new Pairs(options.console)
  }

  /** Takes a request, and has a child answer it. */
  async take(message: IncomingMessage, response: ServerResponse): Promise<void> {
    message.on('error', () => {}) // Its client has left.
    response.on('error', () => {})
    const taken = await takeRequest(message, this.#bodies.roomFor(response))
    if (taken === undefined) return refuse(response, 413, 'Content too large, or too much of it at once')
    this.#remember(taken)
    const pair = this.#pairs.find(taken)
    if (pair !== undefined) return pair.take({ taken, response })
    const child = await this.#whenServed(taken)
    const exchange = { taken, response }
    if (child === undefined) return this.#fail(exchange, `The server is not running: ${this.#whyDown}`)
    this.#count(child, 1)
    try {
      await this.#answer(child, exchange)
    } finally {
      this.#count(child, -1)
    }
  }

  hold(): void {
    this.#isHeld = true
    this.#pairs.hold()
  }

  release(): void {
    this.#isHeld = false
    this.#hasServed = true
    this.#pairs.release()
    for (const go of [...this.#waiting]) go()
  }

  async move(next: DevChild): Promise<void> {
    const { took, console } = this.#options
    took?.(next)
    const streams = [...this.#streams].map((stream) => stream.reopen(next))
    await Promise.all([console?.follow(next), this.#pairs.move(next), ...streams])
    if (next.isGone) throw new Error(`it ended when it took over: ${next.lastWords}`)
    this.#current = next
  }

  lost(child: DevChild, why: string): void {
    if (!this.#reasons.has(child)) this.#reasons.set(child, why) // One that was given up ends as well.
    this.#pairs.lost(child, why)
    if (child !== this.#current) return
    this.#current = undefined
    this.#whyDown = why
  }

  /** Those hear of what went wrong that listen, from the level on that they want; pages of the console hear of all. */
  note(notice: DevNotice): void {
    const { level, data } = notice
    this.#pairs.note(notice)
    this.#options.console?.notice(level, data)
    if (level === 'info') return
    for (const stream of this.#streams) {
      const { session, asks } = stream.taken
      if (session === undefined || asks.length > 0) continue
      if (isAtLeast(level, this.#levels.get(session) ?? 'info'))
        stream.say({ jsonrpc: '2.0', method: 'notifications/message', params: { ...notice } })
    }
  }

  async #answer(child: DevChild, exchange: ClientExchange): Promise<void> {
    const { taken, response } = exchange
    const since = performance.now()
    const upstream = await forward(child, taken).catch(() => undefined)
    const why = () => this.#unanswered(child, taken, since)
    if (upstream === undefined) return this.#fail(exchange, await why())
    const shown = this.#options.console?.answer(child, exchange, upstream)
    if (shown !== undefined) return shown
    begin(response, upstream)
    if (isEventStream(upstream) && opensPair(taken)) return this.#pairs.open(child, exchange, upstream)
    const listens = taken.asks.some(({ method }) => method === 'subscriptions/listen')
    if (isEventStream(upstream) && (taken.method === 'GET' || listens)) return this.#hold(exchange, upstream)
    await pass(upstream, exchange, why)
  }

  /** What can be said when a child has left something unanswered, once it is known how it ended. */
  async #unanswered(child: DevChild, { asks, session }: TakenRequest, since: number): Promise<string> {
    await Promise.race([child.ended, sleep(EXIT_MS)])
    const reason = this.#reasons.get(child) ?? 'the process that served it has closed its connection'
    const error = `The call was not answered: ${reason}`
    for (const request of asks)
      void this.#options.console?.lose(child, { request, transport: 'http', session, error, since })
    return error
  }

  #hold(exchange: ClientExchange, upstream: IncomingMessage): void {
    const stream = new HeldStream(exchange)
    this.#streams.add(stream)
    exchange.response.on('close', () => this.#streams.delete(stream))
    stream.attach(upstream)
  }

  #fail({ taken, response }: ClientExchange, why: string): void {
    const [first, ...others] = errorsFor(taken.asks, why)
    if (first === undefined) return refuse(response, 503, why)
    const text = others.length === 0 ? first : `[${[first, ...others].join()}]`
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  }

  /** What asks for something waits for the newest code; whatever else there is waits for any. */
  async #whenServed({ asks }: TakenRequest): Promise<DevChild | undefined> {
    if (this.#current === undefined || (this.#isHeld && asks.length > 0)) await this.#wait()
    return this.#current
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(late)
        this.#waiting.delete(go)
        resolve()
      }
      const late = this.#hasServed ? setTimeout(go, HOLD_MS) : undefined
      this.#waiting.add(go)
    })
  }

  #count(child: DevChild, change: 1 | -1): void {
    const busy = (this.#busy.get(child) ?? 0) + change
    this.#busy.set(child, busy)
    if (busy > 0) return
    this.#busy.delete(child)
    this.#whenIdle.get(child)?.()
  }

  async settle(child: DevChild): Promise<void> {
    await Promise.all([this.#pairs.settle(child), this.#idle(child)])
  }

  async #idle(child: DevChild): Promise<void> {
    if (!this.#busy.has(child)) return
    await new Promise<void>((resolve) => {
      this.#whenIdle.set(child, resolve)
    })
    this.#whenIdle.delete(child)
  }

  #remember({ session, asks }: TakenRequest): void {
    const level = asks.find(({ method }) => method === 'logging/setLevel')?.params?.['level']
    if (session === undefined || level === undefined) return
    this.#levels.set(session, level as LogLevel) // Any other the child refuses.
    if (this.#levels.size > MOST_LEVELS)
      for (const oldest of this.#levels.keys()) return void this.#levels.delete(oldest)
  }
}

/** Hands on an answer; where its child ends in the middle of it, the rest is an error. */
function pass(
  upstream: IncomingMessage,
  { taken, response }: ClientExchange,
  why: () => Promise<string>,
): Promise<void> {
  return new Promise((resolve) => {
    response.on('close', () => {
      upstream.destroy()
      resolve()
    })
    upstream.on('error', () => {
      void why().then((reason) => {
        if (!isEventStream(upstream)) return response.destroy()
        const errors = errorsFor(taken.asks, reason)
        response.end(errors.map((error) => `\n\nevent: message\ndata: ${error}\n\n`).join(''))
      })
    })
    upstream.pipe(response)
  })
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const unread = status === 413 && { connection: 'close' } // Nobody reads the rest of it.
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1', ...unread })
  response.end(JSON.stringify(errorAnswer(null, message)))
}
