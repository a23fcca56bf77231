import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Inbound } from '../../traffic.ts'
import { CLOSING } from '../answers.ts'
import { endUnsent } from './broken.ts'
import type { NodeConnectionOptions, UsedTime } from './connection-options.ts'
import type { Connections } from './connections.ts'
import type { NodeExchange, QueuedRequest, Take } from './exchange.ts'
import type { Flusher } from './flusher.ts'
import { HEAVY_MS, type RequestScheduler } from './request-scheduler.ts'
import { SocketReading } from './socket-reading.ts'

/** As much as may wait to be taken by the client before its next request is looked at. */
const MOST_OWED = 64 * 1024

/** How long a client may take nothing of its answer once nothing else is waited for. */
const LAST_PATIENCE_MS = 2_000

/** The requests of one connection: each is taken when the one before it has been answered, and its answer taken. */
export class NodeConnection implements Inbound {
  arriving = 0
  readonly share: UsedTime = { cost: HEAVY_MS }
  /** Whether it has brought no request yet. */
  isNew = true
  /** The request that is being answered. */
  current: NodeExchange | undefined
  /** How many bytes of complete answers the client's machine has not taken yet. */
  owed = 0
  readonly #connections: Connections
  /** What its client may call the server in a Host header. */
  readonly ownHosts: readonly string[]
  readonly socket: Socket
  readonly reading: SocketReading
  /** Answers that are complete and have not been taken yet. */
  readonly leaving = new Set<ServerResponse>()
  #waiting: QueuedRequest[] | undefined
  #whenSent: (() => void) | undefined

  constructor(socket: Socket, connections: Connections, ownHosts: readonly string[]) {
    this.socket = socket
    this.reading = new SocketReading(socket)
    this.#connections = connections
    this.ownHosts = ownHosts
  }

  get options(): NodeConnectionOptions {
    return this.#connections.options
  }

  get flusher(): Flusher {
    return this.#connections.flusher
  }

  get scheduler(): RequestScheduler {
    return this.#connections.scheduler
  }

  get waiting(): number {
    return this.#waiting?.length ?? 0
  }

  /** Whether anything is to begin when an answer is complete, or has been taken. */
  get awaited(): boolean {
    return this.#waiting !== undefined || this.#whenSent !== undefined
  }

  /** Whether an answer is being written, in the middle of which nothing must get. */
  get answering(): boolean {
    return this.owed > 0 || this.current?.answering === true
  }

  /** Has the answer to a request that has come whole be the last; tells whether there is one to be given. */
  endsWithCurrent(): boolean {
    if (this.current?.isWhole !== true || this.answering) return false
    this.current.announceEnd()
    return true
  }

  /** Whether a request can be taken at once. */
  get free(): boolean {
    return this.current === undefined && this.owed < MOST_OWED
  }

  /** The answer to the request that was being answered is complete, and so much of it has yet to be taken. */
  answered(bytes: number): void {
    this.options.traffic.taken(this, this.current?.weight ?? 0)
    this.current = undefined
    this.owed += bytes
  }

  queue(exchange: NodeExchange, take: Take): void {
    const { maxPipelined, maxBodyBytes } = this.options
    if (this.waiting >= maxPipelined) return void this.socket.destroy()
    this.#waiting ??= []
    this.#waiting.push({ exchange, take })
    exchange.body.gather(maxBodyBytes)
  }

  /** Goes on when an answer is complete, or has been taken. */
  proceed(): void {
    if (this.owed === 0) this.#whenSent?.()
    if (!this.free) return
    const next = this.#waiting?.shift()
    if (next === undefined) return
    this.current = next.exchange
    if (this.#connections.takes(this)) next.take(next.exchange)
    else this.postpone(next)
  }

  postpone({ exchange, take }: QueuedRequest): void {
    exchange.body.gather(this.options.maxBodyBytes)
    this.scheduler.wait({ socket: this.reading, cost: this.share.cost }, () => {
      if (this.socket.destroyed) return // Nobody waits for it any more, and its body has been let go.
      this.#connections.serve(this, performance.now())
      take(exchange)
    })
  }

  get sends(): boolean {
    return this.current?.body.arriving === true || this.waiting > 0
  }

  shed(): void {
    if (this.current?.body.arriving === true) return this.current.body.turnAway()
    this.options.traffic.taken(this) // At once, or others would have to go for it, too.
    this.socket.destroy()
  }

  /** Nothing more is taken: what has not become a message is turned away, what is under way is the last. */
  closing(): void {
    if (this.current?.body.arriving === true) this.current.body.turnAway(CLOSING)
    else this.current?.announceEnd()
  }

  /** Calls `run` when every complete answer has been taken, or the client has left, or takes nothing any more. */
  whenSent(run: () => void): void {
    if (this.owed === 0) return run()
    this.#whenSent = run
    this.socket.setTimeout(LAST_PATIENCE_MS, () => this.socket.destroy())
  }

  /** The client has left. */
  closed(): void {
    this.current?.leave()
    for (const response of [...this.leaving]) endUnsent(response)
    for (const { exchange } of this.#waiting ?? []) exchange.letGo()
    this.#waiting = undefined
    this.options.traffic.taken(this)
    this.#whenSent?.()
  }
}
