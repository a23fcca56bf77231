import type { IncomingMessage } from 'node:http'
import type { DevChild } from './child.ts'
import type { DevConsole } from './dev-console.ts'
import type { ClientExchange, TakenRequest } from './forward.ts'
import type { DevNotice, Seat } from './keeper.ts'
import { nameIn, Pair } from './pair.ts'

/** All clients of 2024-11-05 at a port, each of which is told of a child's end and beginning as one at a pipe is. */
export class Pairs implements Seat {
  readonly #pairs = new Map<string, Pair>()
  readonly #console: DevConsole | undefined
  #current: DevChild | undefined
  #isHeld = true

  constructor(console: DevConsole | undefined) {
    this.#console = console
  }

  async open(child: DevChild, exchange: ClientExchange, upstream: IncomingMessage): Promise<void> {
    const pair = new Pair(exchange, this.#console)
    const name = await pair.begin(child, upstream)
    if (name === undefined) return
    this.#pairs.set(name, pair)
    exchange.response.on('close', () => this.#pairs.delete(name))
    if (this.#current !== undefined && this.#current !== child) await pair.move(this.#current)
    if (!this.#isHeld) pair.release()
  }

  /** The pair that a request posts to. */
  find({ method, path }: TakenRequest): Pair | undefined {
    return method === 'POST' ? this.#pairs.get(nameIn(path) ?? '') : undefined
  }

  hold(): void {
    this.#isHeld = true
    for (const { pipe } of this.#pairs.values()) pipe.hold()
  }

  release(): void {
    this.#isHeld = false
    for (const pair of this.#pairs.values()) pair.release()
  }

  async move(next: DevChild): Promise<void> {
    await Promise.all([...this.#pairs.values()].map((pair) => pair.move(next)))
    this.#current = next
  }

  lost(child: DevChild, why: string): void {
    for (const pair of this.#pairs.values()) pair.lost(child, why)
  }

  async settle(child: DevChild): Promise<void> {
    await Promise.all([...this.#pairs.values()].map((pair) => pair.settle(child)))
  }

  note(notice: DevNotice): void {
    for (const { pipe } of this.#pairs.values()) pipe.note(notice)
  }
}

/** Whether a request opens the stream of a pair, rather than one of a session. */
export function opensPair({ method, path, session }: TakenRequest): boolean {
  return method === 'GET' && session === undefined && /\/sse(?:\?|$)/.test(path)
}
