import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Usage } from '../../../kernel/index.ts'
import { listHosts } from '../guards/address.ts'
import { lateness } from '../lateness.ts'
import { NodeConnection } from './connection.ts'
import type { NodeConnectionOptions, UsedTime } from './connection-options.ts'
import { NodeExchange, type NodeRequest, type Take } from './exchange.ts'
import { Flusher } from './flusher.ts'
import { HEAVY_MS, PATIENCE, RequestScheduler, SLICE_MS } from './request-scheduler.ts'

/** How much one request counts, and at most: much of its time may have gone into something else. */
const [COUNTS, STEP_MS] = [1 / 8, 0.05]

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
