import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DevChild } from './child.ts'
import { type ClientExchange, forward, isEventStream, type TakenRequest } from './forward.ts'
import { fieldOf, splitEvents } from './split-events.ts'

/** How long the next child may take to take a stream up. */
const REOPEN_MS = 5000

/** A stream that a client listens to for as long as it likes, whichever child speaks on it. */
export class HeldStream {
  readonly taken: TakenRequest
  readonly #response: ServerResponse
  #upstream: IncomingMessage | undefined
  #lastEvent: string | undefined
  /** The next child is asked for it, and the one before lets go of it when that has taken it. */
  #isMoving = false

  constructor({ taken, response }: ClientExchange) {
    this.taken = taken
    this.#response = response
    response.on('close', () => this.#upstream?.destroy())
    response.on('drain', () => this.#upstream?.resume())
  }

  /** Whether it is answered on: the request is one that only listens. */
  get #listens(): boolean {
    return this.taken.asks.length > 0
  }

  /** Hands on what comes, in whole events, so that the next child can go on after any of them. */
  attach(upstream: IncomingMessage, isFirst = true): void {
    const before = this.#upstream
    this.#upstream = upstream
    if (this.#listens) before?.destroy()
    let skipping = !isFirst && this.#listens
    splitEvents(upstream, (event) => {
      if (skipping && event.includes('notifications/subscriptions/acknowledged')) skipping = false
      else this.#write(event)
    })
    upstream.on('end', () => this.#ended(upstream))
    upstream.on('error', () => {}) // Its child is gone: the next one goes on.
  }

  /** Has a child go on; where it does not, the one before may. */
  async reopen(child: DevChild): Promise<void> {
    this.#isMoving = true
    try {
      const opened = await Promise.race([forward(child, this.taken, this.#lastEvent), late()])
      if (opened !== undefined && isEventStream(opened)) this.attach(opened, false)
      else opened?.destroy()
    } catch {
      // It has ended meanwhile, which whoever has started it hears of.
    }
    this.#isMoving = false
    if (this.#upstream?.readableEnded === true) this.#response.end()
  }

  /** Says something that is no child's. */
  say(message: object): void {
    this.#write(`event: message\ndata: ${JSON.stringify(message)}`)
  }

  #write(event: string): void {
    this.#lastEvent = fieldOf(event, 'id') ?? this.#lastEvent
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
