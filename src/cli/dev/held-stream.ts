import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DevChild } from './child.ts'
import type { ConsoleFeed } from './console-feed.ts'
import { forward, isEventStream, type TakenRequest } from './forward.ts'

/** How long the next child may take to take a stream up. */
const REOPEN_MS = 5000

interface HeldExchange {
  readonly taken: TakenRequest
  readonly response: ServerResponse
}

/** A stream that a client listens to for as long as it likes, whichever child speaks on it. */
export class HeldStream {
  readonly taken: TakenRequest
  readonly #response: ServerResponse
  readonly #feed: ConsoleFeed | undefined
  #upstream: IncomingMessage | undefined
  #lastEvent: string | undefined
  /** The next child is asked for it, and the one before lets go of it when that has taken it. */
  #isMoving = false

  constructor({ taken, response }: HeldExchange, feed: ConsoleFeed | undefined) {
    this.taken = taken
    this.#response = response
    this.#feed = feed
    response.on('close', () => this.#upstream?.destroy())
    response.on('drain', () => this.#upstream?.resume())
  }

  /** Whether a page of the console reads it. */
  get isConsole(): boolean {
    return this.#feed !== undefined
  }

  /** Whether it is answered on: the request is one that only listens. */
  get #listens(): boolean {
    return this.taken.asks.length > 0
  }

  /** Hands on what comes, in whole events, so that the next child can go on after any of them. */
  attach(upstream: IncomingMessage, isFirst = true): void {
    const before = this.#upstream
    this.#upstream = upstream
    if (this.#listens || this.isConsole) before?.destroy()
    if (!isFirst) this.#feed?.begin()
    let begun = ''
    let skipping = !isFirst && this.#listens
    upstream.setEncoding('utf8').on('data', (text: string) => {
      const events = `${begun}${text}`.split('\n\n')
      begun = events.pop() ?? ''
      for (const event of events) {
        if (skipping && event.includes('notifications/subscriptions/acknowledged')) skipping = false
        else for (const one of this.#feed?.rewrite(event) ?? [event]) this.write(one)
      }
    })
    upstream.on('end', () => this.#ended(upstream))
    upstream.on('error', () => {}) // Its child is gone: the next one goes on.
  }

  /** Has a child go on; where it does not, the one before may. */
  async reopen(child: DevChild): Promise<void> {
    this.#isMoving = true
    try {
      const opened = await Promise.race([forward(child, this.#request, this.#lastEvent), late()])
      if (opened !== undefined && isEventStream(opened)) this.attach(opened, false)
      else opened?.destroy()
    } catch {
      // It has ended meanwhile, which whoever has started it hears of.
    }
    this.#isMoving = false
    if (this.#upstream?.readableEnded === true) this.#response.end()
  }

  /** Numbers of the console begin anew with every child. */
  get #request(): TakenRequest {
    if (!this.isConsole) return this.taken
    return { ...this.taken, path: this.taken.path.replace(/\bafter=\d+/, 'after=0') }
  }

  /** Says something that is no child's. */
  say(message: object): void {
    this.write(`event: message\ndata: ${JSON.stringify(message)}`)
  }

  /** Writes a whole event. */
  write(event: string): void {
    if (!this.isConsole) this.#lastEvent = /^id: ?(.+)$/m.exec(event)?.[1] ?? this.#lastEvent
    if (!this.#response.write(`${event}\n\n`)) this.#upstream?.pause()
  }

  #ended(upstream: IncomingMessage): void {
    if (upstream === this.#upstream && !this.#isMoving) this.#response.end()
  }
}

function late(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), REOPEN_MS).unref()
  })
}
