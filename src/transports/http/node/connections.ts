import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Usage } from '../../../kernel/index.ts'
import { CLOSING } from '../answers.ts'
import { listHosts } from '../guards/address.ts'
import type { Inbound, Traffic } from '../traffic.ts'
import { NodeExchange, type NodeRequest } from './exchange.ts'
import { RequestScheduler, type Scheduled, SLICE_MS } from './request-scheduler.ts'
import { Flusher } from './response.ts'

interface NodeConnectionOptions {
  readonly traffic: Traffic
  readonly maxBodyBytes: number
  readonly maxPipelined: number
  /** How long a client may take to take any part of its answer. */
  readonly patienceMs: number
  /** What clients may call us in a Host header, where it is not the address of the connection. */
  readonly hosts?: readonly string[] | undefined
}

type Take = (exchange: NodeExchange) => void

interface QueuedRequest {
  readonly exchange: NodeExchange
  readonly take: Take
}

/** As much as may wait to be taken by the client before its next request is looked at. */
const MOST_OWED = 64 * 1024

/** How long a client may take nothing of its answer once nothing else is waited for. */
const LAST_PATIENCE_MS = 2_000

/** How long a client that has connected when a server closes may take to send its request, and how often that is looked at. */
const NEWCOMERS_MS = 250
const LOOK_MS = 10

/** The connections of a server that are open. */
export class Connections {
  readonly options: NodeConnectionOptions
  readonly flusher = new Flusher()
  readonly scheduler = new RequestScheduler(this.flusher)
  readonly #open = new Map<Socket, NodeConnection>()
  /** Nearly all connections are made to the same address, so the names of the last one are kept. */
  #reached = { address: '', port: 0, hosts: [] as readonly string[] }

  constructor(options: NodeConnectionOptions) {
    this.options = options
  }

  get size(): number {
    return this.#open.size
  }

  /** Has budgets told what is in use, until the function given back is called. */
  watchedBy(usage: Usage): () => void {
    return usage.watchAll({ maxConnections: () => this.size, maxPipelined: () => this.#mostWaiting() })
  }

  /** How many requests wait for the one before them, where most do. */
  #mostWaiting(): number {
    let most = 0
    for (const { waiting } of this.#open.values()) most = Math.max(most, waiting)
    return most
  }

  /** Takes a request when its turn has come. */
  receive(request: NodeRequest, take: Take): void {
    const connection = this.of(request.message.socket)
    connection.isNew = false
    const late = connection.isLate()
    const exchange = new NodeExchange(request, connection)
    if (!connection.free) return connection.queue(exchange, take)
    connection.current = exchange
    if (late) connection.postpone({ exchange, take })
    else take(exchange)
  }

  of(socket: Socket): NodeConnection {
    return this.#open.get(socket) ?? this.#add(socket)
  }

  #add(socket: Socket): NodeConnection {
    const connection = new NodeConnection(socket, this, this.#hostsAt(socket))
    this.#open.set(socket, connection)
    socket.once('close', () => {
      this.#open.delete(socket)
      connection.closed()
    })
    return connection
  }

  #hostsAt({ localAddress: address = '', localPort: port = 0 }: Socket): readonly string[] {
    if (this.options.hosts !== undefined) return this.options.hosts
    if (address !== this.#reached.address || port !== this.#reached.port)
      this.#reached = { address, port, hosts: listHosts(address, port) }
    return this.#reached.hosts
  }

  /** Whoever has just connected may say what it wants; nobody else is waited for. */
  async begun(atMostMs: number): Promise<void> {
    const isNew = () => [...this.#open.values()].some(({ isNew: one }) => one)
    const most = Math.min(atMostMs, NEWCOMERS_MS)
    for (let waited = 0; waited < most && isNew(); waited += LOOK_MS) await sleep(LOOK_MS)
  }

  closing(): void {
    for (const connection of [...this.#open.values()]) connection.closing()
  }

  /** Sends what is complete; resolves when every answer has been taken, or when it is late; tells which. */
  async sent(late: AbortSignal): Promise<boolean> {
    this.flusher.flush()
    const all = [...this.#open.values()].map(
      (connection) => new Promise<void>((resolve) => connection.whenSent(resolve)),
    )
    return Promise.race([Promise.all(all).then(() => true), lateness(late)])
  }
}

/** The requests of one connection: each is taken when the one before it has been answered, and its answer taken. */
export class NodeConnection implements Inbound, Scheduled {
  arriving = 0
  servedAt = 0
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
  #waiting: QueuedRequest[] | undefined
  #whenSent: (() => void) | undefined

  constructor(socket: Socket, connections: Connections, ownHosts: readonly string[]) {
    this.socket = socket
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

  /** Whether a request can be taken at once. */
  get free(): boolean {
    return this.current === undefined && this.owed < MOST_OWED
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
    if (this.isLate()) this.postpone(next)
    else next.take(next.exchange)
  }

  /** Whether requests have been taken up for long enough in this turn; if not, this is one more. */
  isLate(): boolean {
    const { flusher } = this.#connections
    const now = performance.now()
    if (flusher.busySince === 0) flusher.busySince = now
    if (now - flusher.busySince > SLICE_MS) return true
    this.servedAt = now
    return false
  }

  postpone({ exchange, take }: QueuedRequest): void {
    exchange.body.gather(this.options.maxBodyBytes)
    this.scheduler.wait(this, () => take(exchange))
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
    this.current?.letGo()
    for (const { exchange } of this.#waiting ?? []) exchange.letGo()
    this.#waiting = undefined
    this.owed = 0
    this.options.traffic.taken(this)
    this.#whenSent?.()
  }
}

function lateness(late: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (late.aborted) resolve(false)
    late.addEventListener('abort', () => resolve(false), { once: true })
  })
}
