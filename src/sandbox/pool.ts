import type { Sandbox, SandboxedScript } from '../kernel/index.ts'
import type { ThreadData, ThreadRequest } from './messages.ts'
import { Thread } from './thread.ts'

export interface PoolOptions extends ThreadData {
  /** What a thread runs. */
  readonly file: string
  readonly engine: string
}

/** How long a thread that nobody uses stays. */
const IDLE_MS = 10_000

interface WaitingScript {
  readonly owner: string
  readonly turn: (thread: Thread) => void
  readonly refuse: (error: Error) => void
}

/** As many threads as are needed, and no more than there may be. */
export class Pool implements Sandbox {
  readonly #options: PoolOptions
  readonly #threads = new Set<Thread>()
  readonly #idle = new Map<Thread, NodeJS.Timeout>()
  readonly #running = new Map<string, number>()
  #waiting: WaitingScript[] = []
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get engine(): string {
    return this.#options.engine
  }

  get isCrowded(): boolean {
    return this.#waiting.length > 0
  }

  begin(code: string, owner: string): Promise<SandboxedScript> {
    return this.#open({ op: 'begin', code }, owner)
  }

  resume(image: Uint8Array, owner: string): Promise<SandboxedScript> {
    return this.#open({ op: 'resume', image }, owner)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { refuse } of this.#waiting.splice(0)) refuse(new Error(CLOSED))
    for (const clock of this.#idle.values()) clearTimeout(clock)
    this.#idle.clear()
    for (const thread of this.#threads) thread.end(CLOSED)
    this.#threads.clear()
  }

  async #open(first: ThreadRequest, owner: string): Promise<SandboxedScript> {
    const thread = this.#find() ?? (await this.#turn(owner))
    this.#count(owner, 1)
    return thread.open(first, () => this.#free(thread, owner))
  }

  #find(): Thread | undefined {
    if (this.#closed) throw new Error(CLOSED)
    for (const [thread, clock] of this.#idle) {
      clearTimeout(clock)
      this.#idle.delete(thread)
      if (!thread.isGone) return thread
      this.#threads.delete(thread)
    }
    return this.#threads.size < this.#options.limits.threads ? this.#start() : undefined
  }

  #start(): Thread {
    const { file, wasm, limits } = this.#options
    const thread = new Thread(file, { wasm, limits })
    this.#threads.add(thread)
    return thread
  }

  #turn(owner: string): Promise<Thread> {
    return new Promise((turn, refuse) => {
      this.#waiting.push({ owner, turn, refuse })
    })
  }

  #free(thread: Thread, owner: string): void {
    this.#count(owner, -1)
    if (this.#closed) return
    if (thread.isGone) this.#threads.delete(thread)
    const next = this.#next()
    if (next !== undefined) next.turn(thread.isGone ? this.#start() : thread)
    else if (!thread.isGone) this.#rest(thread)
  }

  /** Whoever has waited longest among those who run least. */
  #next(): WaitingScript | undefined {
    const least = Math.min(...this.#waiting.map(({ owner }) => this.#running.get(owner) ?? 0))
    const next = this.#waiting.find(({ owner }) => (this.#running.get(owner) ?? 0) === least)
    this.#waiting = this.#waiting.filter((one) => one !== next)
    return next
  }

  #rest(thread: Thread): void {
    const clock = setTimeout(() => {
      this.#idle.delete(thread)
      this.#threads.delete(thread)
      thread.end('It was idle')
    }, IDLE_MS)
    clock.unref()
    this.#idle.set(thread, clock)
  }

  #count(owner: string, change: number): void {
    const count = (this.#running.get(owner) ?? 0) + change
    if (count === 0) this.#running.delete(owner)
    else this.#running.set(owner, count)
  }
}

const CLOSED = 'The server is closing'
