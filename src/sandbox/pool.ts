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
  readonly #waiting = new Set<WaitingScript>()
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get engine(): string {
    return this.#options.engine
  }

  get isCrowded(): boolean {
    return this.#waiting.size > 0
  }

  begin(code: string, owner: string, signal: AbortSignal): Promise<SandboxedScript> {
    return this.#open({ op: 'begin', code }, owner, signal)
  }

  resume(image: Uint8Array, owner: string, signal: AbortSignal): Promise<SandboxedScript> {
    return this.#open({ op: 'resume', image }, owner, signal)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { refuse } of this.#waiting) refuse(new Error(CLOSED))
    this.#waiting.clear()
    for (const clock of this.#idle.values()) clearTimeout(clock)
    this.#idle.clear()
    for (const thread of this.#threads) thread.end(CLOSED)
    this.#threads.clear()
  }

  async #open(first: ThreadRequest, owner: string, signal: AbortSignal): Promise<SandboxedScript> {
    const thread = this.#find() ?? (await this.#turn(owner, signal))
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

  #turn(owner: string, signal: AbortSignal): Promise<Thread> {
    return new Promise((turn, refuse) => {
      const one = { owner, turn, refuse }
      const giveUp = () => {
        if (this.#waiting.delete(one)) refuse(new Error(CALLED_OFF))
      }
      this.#waiting.add(one)
      signal.addEventListener('abort', giveUp, { once: true })
      if (signal.aborted) giveUp()
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
    let next: WaitingScript | undefined
    for (const one of this.#waiting) if (next === undefined || this.#runs(one) < this.#runs(next)) next = one
    if (next !== undefined) this.#waiting.delete(next)
    return next
  }

  #runs({ owner }: WaitingScript): number {
    return this.#running.get(owner) ?? 0
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

const CALLED_OFF = 'The script was cancelled'

const CLOSED = 'The server is closing'
