import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Usage } from '../../../kernel/index.ts'
import { CLOSING } from '../answers.ts'
import { listHosts } from '../guards/address.ts'
import { lateness } from '../lateness.ts'
import type { Inbound } from '../traffic.ts'
import type { NodeConnectionOptions, QueuedRequest, Take, UsedTime } from './connection-options.ts'
import { NodeExchange, type NodeRequest } from './exchange.ts'
import { HEAVY_MS, PATIENCE, RequestScheduler, SLICE_MS } from './request-scheduler.ts'
import { Flusher } from './response.ts'
import { SocketReading } from './socket-reading.ts'

/** As much as may wait to be taken by the client before its next request is looked at. */
const MOST_OWED = 64 * 1024

/** How much one request counts, and at most: much of its time may have gone into something else. */
const [COUNTS, STEP_MS] = [1 / 8, 0.05]

/** How long a client may take nothing of its answer once nothing else is waited for. */
const LAST_PATIENCE_MS = 2_000

/** How long a client that has connected when a server closes may take to send its request, and how often that is looked at. */
const [NEWCOMERS_MS, LOOK_MS] = [250, 10]

/** The connections of a server that are open. */
export class Connections {
  readonly options: NodeConnectionOptions
  readonly flusher = new Flusher()
  readonly scheduler = new RequestScheduler(this.flusher)
  readonly #open = new Map<Socket, NodeConnection>()
  readonly #served: { by: UsedTime; at: number } = { by: { cost: 0 }, at: 0 }
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
    const takes = this.takes(connection)
    const exchange = new NodeExchange(request, connection)
    if (!connection.free) return connection.queue(exchange, take)
    connection.current = exchange
    if (takes) take(exchange)
    else connection.postpone({ exchange, take })
  }

  /** Whether a request that has come is taken up at once. */
  takes(client: NodeConnection): boolean {
    const { flusher, scheduler } = this
    const now = performance.now()
    if (flusher.since === 0) {
      flusher.since = now
      setImmediate(flusher.endTurn)
    }
    if (now - flusher.since > SLICE_MS || scheduler.due < now + PATIENCE * client.share.cost) return false
    this.serve(client, now)
    return true
  }

  /** What passes from here on, until it rests or somebody else is served, is for the sake of one client. */
  serve(client: NodeConnection, now: number): void {
    const { by, at } = this.#served
    const took = (this.flusher.restedAt >= at ? this.flusher.restedAt : now) - at
    by.cost = Math.min(HEAVY_MS, by.cost + Math.min(STEP_MS, COUNTS * (took - by.cost)))
    this.#served.by = client.share
    this.#served.at = now
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

  /** Resolves when what has come so far has been taken up, or when it is late. */
  async taken(atMostMs: number): Promise<void> {
    const all = new Promise<void>((resolve) => this.scheduler.waitLast(resolve))
    await Promise.race([all, sleep(atMostMs, undefined, { ref: false })])
  }

  /** Whoever has just connected may say what it wants; nobody else is waited for. */
  async begun(atMostMs: number): Promise<void> {
    await this.taken(atMostMs)
    const isNew = () => [...this.#open.values()].some((one) => one.isNew)
    for (let left = Math.min(atMostMs, NEWCOMERS_MS); left > 0 && isNew(); left -= LOOK_MS)
      await sleep(LOOK_MS)
  }

  closing(): void {
    for (const connection of [...this.#open.values()]) connection.closing()
  }

  /** Sends what is complete; resolves when every answer has been taken, or when it is late; tells which. */
  async sent(late: AbortSignal): Promise<boolean> {
    this.flusher.flush()
    const all = [...this.#open.values()].map((one) => new Promise<void>((done) => one.whenSent(done)))
    return Promise.race([Promise.all(all).then(() => true), lateness(late)])
  }
}

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
    if (this.#connections.takes(this)) next.take(next.exchange)
    else this.postpone(next)
  }

  postpone({ exchange, take }: QueuedRequest): void {
    exchange.body.gather(this.options.maxBodyBytes)
    this.scheduler.wait({ socket: this.reading, cost: this.share.cost }, () => {
      this.#connections.serve(this, performance.now())
      take(exchange)
    })
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
