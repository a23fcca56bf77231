import type { Worker } from 'node:worker_threads'
import type { SandboxedScript, ScriptLimits, ScriptStep, SettledCall } from '../kernel/index.ts'
import type { ThreadData, ThreadReply, ThreadRequest } from './messages.ts'
import { node } from './node.ts'

/** What a script may take longer than its time before its thread is ended: within natives nothing stops it. */
const GRACE_MS = 500

/** How long it may take to make a machine, or to pack one up. */
const MACHINE_MS = 15_000

/** A thread with room for one script. */
export class Thread {
  readonly #limits: ScriptLimits
  readonly #worker: Worker
  #waiting: { readonly resolve: (reply: ThreadReply) => void; readonly clock: NodeJS.Timeout } | undefined
  #failure: string | undefined

  constructor(file: string, data: ThreadData) {
    const { Worker } = node('node:worker_threads')
    this.#limits = data.limits
    this.#worker = new Worker(file, { workerData: data, resourceLimits: HEAP, ...ALONE })
    this.#worker.unref()
    this.#worker.on('message', (reply: ThreadReply) => this.#settle(reply))
    this.#worker.on('error', (error) => this.#fail(`The sandbox has failed: ${error.message}`))
    this.#worker.on('exit', () => this.#fail('The sandbox has ended'))
  }

  /** Whether it can be used no more. */
  get isGone(): boolean {
    return this.#failure !== undefined
  }

  /** Makes a machine, or has one again; `free` is called when the script has left. */
  async open(first: ThreadRequest, free: () => void): Promise<SandboxedScript> {
    const opened = await this.#ask(first, MACHINE_MS)
    if ('failed' in opened) {
      this.#leave(free)
      throw new Error(opened.failed)
    }
    return {
      go: (settled, now) => this.#go(settled, now),
      save: () => this.#save(),
      leave: () => this.#leave(free),
    }
  }

  end(reason: string): void {
    this.#fail(reason)
    void this.#worker.terminate()
  }

  #leave(free: () => void): void {
    if (this.#waiting !== undefined)
      this.end('It was cancelled') // It runs, and cannot be told anything.
    else if (this.#failure === undefined) this.#worker.postMessage({ op: 'leave' } satisfies ThreadRequest)
    free()
  }

  async #go(settled: readonly SettledCall[], now: number): Promise<ScriptStep> {
    const { milliseconds } = this.#limits
    const reply = await this.#ask({ op: 'go', settled, now }, milliseconds + GRACE_MS)
    if ('step' in reply) return reply.step
    const error = 'failed' in reply ? reply.failed : 'The sandbox gave no answer'
    return { calls: [], end: { error, log: '', unlogged: 0 } }
  }

  async #save(): Promise<Uint8Array> {
    const reply = await this.#ask({ op: 'save' }, MACHINE_MS)
    if ('image' in reply) return reply.image
    throw new Error('failed' in reply ? reply.failed : 'The sandbox gave no answer')
  }

  #ask(request: ThreadRequest, longestMs: number): Promise<ThreadReply> {
    if (this.#failure !== undefined) return Promise.resolve({ failed: this.#failure })
    return new Promise((resolve) => {
      const clock = setTimeout(() => this.end(this.#tooLong(request)), longestMs)
      this.#waiting = { resolve, clock }
      this.#worker.ref()
      this.#worker.postMessage(request)
    })
  }

  #tooLong({ op }: ThreadRequest): string {
    return op === 'go'
      ? `It ran for more than ${this.#limits.milliseconds} ms (--max-script-ms)`
      : 'The sandbox took too long'
  }

  #settle(reply: ThreadReply): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    this.#worker.unref()
    clearTimeout(waiting?.clock)
    waiting?.resolve(reply)
  }

  #fail(reason: string): void {
    this.#failure ??= reason
    if (this.#waiting !== undefined) this.#settle({ failed: this.#failure })
  }
}

/** Of the thread itself; a script's memory is the machine's. */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }

/** Nothing of the process is handed to it: no environment, no flags, no streams. */
const ALONE = { env: {}, argv: [], execArgv: [], stdout: true, stderr: true }
