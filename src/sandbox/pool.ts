import { FairPlaces, type Sandbox, type SandboxedScript } from '../kernel/index.ts'
import type { ThreadData, ThreadRequest } from './messages.ts'
import { Thread } from './thread.ts'

export interface PoolOptions extends ThreadData {
  /** What a thread runs. */
  readonly file: string
  readonly engine: string
}

/** How long a thread that nobody uses stays. */
const IDLE_MS = 10_000

/** As many threads as are needed, and no more than there may be. */
export class Pool implements Sandbox {
  readonly #options: PoolOptions
  readonly #threads = new Set<Thread>()
  readonly #idle = new Map<Thread, NodeJS.Timeout>()
  readonly #places = new FairPlaces()
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get engine(): string {
    return this.#options.engine
  }

  get isCrowded(): boolean {
    return this.#places.waiting > 0
  }

  hasMost(owner: string): boolean {
    return this.#places.hasMost(owner)
  }

  begin(code: string, owner: string, signal: AbortSignal): Promise<SandboxedScript> {
    return this.#open({ op: 'begin', code }, owner, signal)
  }

  resume(image: Uint8Array, owner: string, signal: AbortSignal): Promise<SandboxedScript> {
    return this.#open({ op: 'resume', image }, owner, signal)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#places.refuse(new Error(CLOSED))
    for (const clock of this.#idle.values()) clearTimeout(clock)
    this.#idle.clear()
    for (const thread of this.#threads) thread.end(CLOSED)
    this.#threads.clear()
  }

  async #open(first: ThreadRequest, owner: string, signal: AbortSignal): Promise<SandboxedScript> {
    const coming = this.#places.enter({ owner, most: this.#options.limits.threads, signal })
    if (coming !== undefined) await coming.catch(sayWhy)
    if (this.#closed) throw new Error(CLOSED)
    const thread = this.#find()
    return thread.open(first, () => this.#free(thread, owner))
  }

  /** Whoever has a place has a thread: there are as many of one as of the other. */
  #find(): Thread {
    for (const [thread, clock] of this.#idle) {
      clearTimeout(clock)
      this.#idle.delete(thread)
      if (!thread.isGone) return thread
      this.#threads.delete(thread)
    }
    return this.#start()
  }

  #start(): Thread {
    const { file, wasm, limits } = this.#options
    const thread = new Thread(file, { wasm, limits })
    this.#threads.add(thread)
    return thread
  }

  #free(thread: Thread, owner: string): void {
    if (this.#closed) return
    if (thread.isGone) this.#threads.delete(thread)
    else this.#rest(thread)
    this.#places.leave(owner)
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
}

/** Whoever was called off is told so, and not by whom. */
function sayWhy(reason: unknown): never {
  throw reason instanceof Error && reason.message === CLOSED ? reason : new Error(CALLED_OFF)
}

const CALLED_OFF = 'The script was cancelled'

const CLOSED = 'The server is closing'
