import type { Socket } from 'node:net'
import type { Inbound, Traffic } from '../traffic.ts'
import type { NodeExchange } from './exchange.ts'

export interface ConnectionOptions {
  readonly traffic: Traffic
  readonly maxBodyBytes: number
  readonly maxPipelined: number
  /** How long a client may take to take any part of its answer. */
  readonly patienceMs: number
}

type Take = (exchange: NodeExchange) => void

interface Pipelined {
  readonly exchange: NodeExchange
  readonly take: Take
}

/** As much as may wait to be taken by the client before its next request is looked at. */
const MOST_OWED = 64 * 1024

/** How long a client may take nothing of its answer once nothing else is waited for. */
const LAST_PATIENCE_MS = 2_000

/** The requests of one connection: each is taken when the one before it has been answered, and its answer taken. */
export class Connection implements Inbound {
  arriving = 0
  readonly options: ConnectionOptions
  readonly #socket: Socket
  #current: NodeExchange | undefined
  #waiting: Pipelined[] | undefined
  #owed = 0
  #whenSent: (() => void) | undefined

  constructor(socket: Socket, options: ConnectionOptions) {
    this.options = options
    this.#socket = socket
  }

  get waiting(): number {
    return this.#waiting?.length ?? 0
  }

  receive(exchange: NodeExchange, take: Take): void {
    if (this.#current === undefined && this.#owed < MOST_OWED) return this.#take(exchange, take)
    if (this.waiting >= this.options.maxPipelined) return this.#destroy()
    this.#waiting ??= []
    this.#waiting.push({ exchange, take })
    exchange.gather(this.options.maxBodyBytes)
  }

  /** The answer is complete, and on its way. */
  answered(bytes: number): void {
    this.#current = undefined
    this.#owed += bytes
    this.#next()
  }

  /** The client's machine has taken an answer. */
  sent(bytes: number): void {
    this.#owed = Math.max(0, this.#owed - bytes) // A client that has left owes nothing.
    if (this.#owed === 0) this.#whenSent?.()
    this.#next()
  }

  shed(): void {
    if (this.#current?.arriving !== true) return this.#destroy()
    this.#waiting = undefined
    this.#current.turnAway()
  }

  /** Nothing more is taken: what has not become a message is turned away, what is under way is the last. */
  closing(): void {
    if (this.#current?.arriving === true) this.shed()
    else this.#current?.announceEnd()
  }

  /** Calls `run` when every complete answer has been taken, or the client has left, or takes nothing any more. */
  whenSent(run: () => void): void {
    if (this.#owed === 0) return run()
    this.#whenSent = run
    this.#socket.setTimeout(LAST_PATIENCE_MS, () => this.#destroy())
  }

  /** The client has left. */
  closed(): void {
    this.#waiting = undefined
    this.#owed = 0
    this.options.traffic.taken(this)
    this.#whenSent?.()
  }

  #take(exchange: NodeExchange, take: Take): void {
    this.#current = exchange
    take(exchange)
  }

  #next(): void {
    if (this.#waiting === undefined || this.#current !== undefined || this.#owed >= MOST_OWED) return
    const next = this.#waiting.shift()
    if (next !== undefined) this.#take(next.exchange, next.take)
  }

  #destroy(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }
}
