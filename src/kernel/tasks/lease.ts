import type { Platform } from '../ports/platform.ts'
import type { TaskRecord } from './record.ts'
import type { GuardedStore } from './store.ts'

/** How long a process that says nothing counts as alive, and how often it says something. */
const LEASE_MS = 5000
const BEAT_MS = 1000

/** A lease may also have run out because the store was away; by then whoever is alive has renewed it. */
const MISSED_MS = LEASE_MS

/** How long it is known that a process has said goodbye, and how many are remembered whose lease was missing. */
const GOODBYE_MS = 60_000
const MOST_MISSED = 1000

/** The call of a task, as far as it has to be ended. */
export interface Abortable {
  /** Somebody has called it off. */
  abort(): void
  /** It is not to go on here. */
  stop(): void
}

interface Running {
  readonly call: Abortable
  readonly expires: number
  unwatch: (() => void) | undefined
}

export interface LeaseOptions {
  readonly platform: Platform
  readonly store: GuardedStore
  /** Has every change of a task told here, until the function given back is called. */
  readonly watch: () => Promise<() => void>
}

/** The tasks that this process works on; as long as there are any, it holds a lease that others see. */
export class Lease {
  readonly #options: LeaseOptions
  readonly #running = new Map<string, Running>()
  /** When the leases of others were first found to be missing, by our own clock. */
  readonly #missed = new Map<string, number>()
  #stopBeat: (() => void) | undefined
  #node: string | undefined
  #used = false

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  /** Who we are among the processes that share a store; made up with the first task. */
  get node(): string {
    this.#node ??= this.#options.platform.randomId()
    return this.#node
  }

  /** Whether there has ever been a task here. */
  get used(): boolean {
    return this.#used
  }

  has(id: string): boolean {
    return this.#running.has(id)
  }

  /** The task counts as running from here on, so nobody takes it for abandoned. */
  async hold({ id, createdAt, ttlMs }: TaskRecord, call: Abortable): Promise<void> {
    const expires = ttlMs === null ? Number.POSITIVE_INFINITY : createdAt + ttlMs
    const running: Running = { call, expires, unwatch: undefined }
    this.#used = true
    this.#running.set(id, running)
    try {
      running.unwatch = await this.#options.watch()
      if (this.#stopBeat === undefined) await this.#beat()
    } catch (error) {
      this.release(id)
      throw error
    }
  }

  abort(id: string): void {
    this.#running.get(id)?.call.abort()
  }

  release(id: string): void {
    this.#running.get(id)?.unwatch?.()
    this.#running.delete(id)
    if (this.#running.size > 0) return
    this.#stopBeat?.()
    this.#stopBeat = undefined
  }

  /** Ends all work, and is somebody else from here on: what was begun counts as interrupted. */
  async close(): Promise<readonly string[]> {
    const { node } = this
    const ids = [...this.#running.keys()]
    if (ids.length === 0) return ids
    this.#node = undefined
    for (const id of ids) {
      this.#running.get(id)?.call.stop()
      this.release(id)
    }
    await this.#options.store.put(leaseOf(node), false, { ttlMs: GOODBYE_MS }) // Nobody need wait for it to run out.
    return ids
  }

  /** Whether some process is at work on the task. */
  async isAlive({ id, node }: TaskRecord): Promise<boolean> {
    if (this.#running.has(id)) return true
    if (node === this.node) return false
    const lease = await this.#ask(({ get }) => get(leaseOf(node)))
    if (lease === undefined) return this.#isDue(node)
    this.#missed.delete(node)
    return lease.value !== false
  }

  /** Whether a process without a lease may yet renew it; what nobody shares with us was left behind by one that has ended. */
  #isDue(node: string): boolean {
    const { now, store } = this.#options.platform
    if (!store.shared) return false
    const since = this.#missed.get(node) ?? now()
    if (this.#missed.size > MOST_MISSED) this.#missed.clear() // Those are waited for once more.
    this.#missed.set(node, since)
    return now() - since < MISSED_MS
  }

  /** While the store is away, nobody can renew anything. */
  async #ask<Value>(ask: (store: GuardedStore) => Promise<Value>): Promise<Value> {
    try {
      return await ask(this.#options.store)
    } catch (error) {
      this.#missed.clear()
      throw error
    }
  }

  async #beat(): Promise<void> {
    await this.#ask(({ put }) => put(leaseOf(this.node), true, { ttlMs: LEASE_MS }))
    this.#beatLater()
  }

  #beatLater(): void {
    const { after, now } = this.#options.platform
    this.#stopBeat?.()
    this.#stopBeat = undefined
    if (this.#running.size === 0) return
    this.#stopBeat = after(BEAT_MS, () => {
      this.#endExpired(now())
      this.#beat().catch(() => this.#beatLater())
    })
  }

  #endExpired(now: number): void {
    for (const [id, { expires }] of [...this.#running]) {
      if (expires > now) continue
      this.abort(id)
      this.release(id)
    }
  }
}

const leaseOf = (node: string) => `task-nodes/${node}`
