import cluster, { type Worker } from 'node:cluster'
import { StartError } from '../exit-codes.ts'
import { because, type Note } from '../log.ts'
import { Backoff } from './backoff.ts'
import { type FromWorker, readMessage, type ToWorker } from './messages.ts'
import { handOnLines } from './one-log.ts'
import { Totals } from './totals.ts'

export interface CrewOptions {
  readonly size: number
  /** What every worker finds in its environment. */
  readonly environment: { readonly [name: string]: string }
  /** How long a worker may take to leave. */
  readonly leaveMs: number
  /** A client has asked for the end. */
  readonly ends: () => void
  readonly note: Note
}

/** Whether a worker is one of those that are wanted, or on trial, or on its way out. */
type Standing = 'trial' | 'wanted' | 'leaving'

/** Workers that listen on one port: one that dies is replaced, and all can be replaced one after the other. */
export class Crew {
  readonly #options: CrewOptions
  readonly #standings = new Map<Worker, Standing>()
  readonly #totals = new Totals()
  /** Why those have not served that have said so. */
  readonly #reasons = new WeakMap<Worker, string>()
  readonly #backoff = new Backoff()
  #renewing: Promise<void> | undefined
  #ending = false
  #failed = false

  constructor(options: CrewOptions) {
    this.#options = options
    // Handed round, a connection would hang whose worker dies before it takes it; waiting at the port, another takes it.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  }

  /** Starts the first by itself, so that what is wrong is said once. */
  async start(): Promise<void> {
    const first = this.#fork('trial')
    const code = await untilListening(first)
    if (code !== undefined) throw new StartError(code, this.#reasons.get(first) ?? '')
    this.#want(first)
    for (let others = 1; others < this.#options.size; others++) this.#fork('wanted')
  }

  /** Puts a new worker in the place of each, one after the other; where a new one does not start, the old ones stay. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renewAll().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** Has all leave; tells whether they went as they should. */
  async end(): Promise<boolean> {
    this.#ending = true
    this.#backoff.stop()
    await Promise.all([...this.#standings.keys()].map((worker) => this.#dismiss(worker)))
    return !this.#failed
  }

  /** For whoever does not want to wait. */
  kill(): void {
    for (const worker of this.#standings.keys()) worker.process.kill('SIGKILL')
  }

  async #renewAll(): Promise<void> {
    const { note } = this.#options
    const before = [...this.#standings].flatMap(([worker, standing]) =>
      standing === 'wanted' ? [worker] : [],
    )
    for (const old of before) {
      if (this.#ending) return
      if (this.#standings.get(old) !== 'wanted') continue // It has died meanwhile, and been replaced.
      const next = this.#fork('trial')
      const code = await untilListening(next)
      if (code !== undefined) {
        const outcome = `a new worker ended with ${code}: the restart stops here`
        return note('error', because(this.#reasons.get(next), outcome))
      }
      this.#want(next)
      await this.#dismiss(old)
    }
    note('notice', `${before.length} workers have been replaced`)
  }

  #fork(standing: Standing): Worker {
    const worker = cluster.fork(this.#options.environment)
    this.#standings.set(worker, standing)
    handOnLines(worker.process.stdout, process.stdout)
    handOnLines(worker.process.stderr, process.stderr)
    worker.on('error', () => {}) // Whatever it is, its exit follows.
    worker.on('message', (message) => this.#hear(worker, message))
    worker.on('exit', (code, signal) => this.#lose(worker, signal ?? code))
    if (standing === 'wanted') whenServing(worker, () => this.#backoff.begun(worker.id))
    return worker
  }

  #want(worker: Worker): void {
    if (worker.isDead()) return this.#replace()
    this.#standings.set(worker, 'wanted')
    this.#backoff.begun(worker.id)
  }

  #hear(worker: Worker, message: unknown): void {
    const said = readMessage<FromWorker>(message)
    if (said?.perigee === 'counted') return this.#totals.take(worker.id, said.text)
    if (said?.perigee === 'ends') return this.#options.ends()
    if (said?.perigee === 'failed') return void this.#reasons.set(worker, said.reason)
    if (said?.perigee !== 'asks') return
    const { question } = said
    void this.#totals.read([...this.#standings.keys()]).then((text) => {
      if (worker.isConnected()) tell(worker, { perigee: 'totals', question, text })
    })
  }

  #lose(worker: Worker, how: string | number): void {
    const standing = this.#standings.get(worker)
    this.#standings.delete(worker)
    this.#totals.depart(worker.id)
    if (standing === 'leaving' && how !== 0) this.#failed = true
    if (standing !== 'wanted' || this.#ending) return
    this.#backoff.ended(worker.id)
    this.#replace(`worker ${worker.process.pid} has ended (${how})`, this.#reasons.get(worker))
  }

  #replace(what = 'a worker has ended', reason?: string): void {
    const { delayMs } = this.#backoff
    const when = delayMs === 0 ? '' : ` in ${delayMs / 1000} s`
    this.#options.note('error', because(reason, `${what}: another takes its place${when}`))
    this.#backoff.after(() => void this.#fork('wanted'))
  }

  #dismiss(worker: Worker): Promise<void> {
    this.#standings.set(worker, 'leaving')
    return new Promise((resolve) => {
      if (worker.isDead()) return resolve()
      const late = setTimeout(() => worker.process.kill('SIGKILL'), this.#options.leaveMs)
      worker.once('exit', () => {
        clearTimeout(late)
        resolve()
      })
      if (worker.isConnected()) tell(worker, { perigee: 'leave' })
    })
  }
}

function tell(worker: Worker, message: ToWorker): void {
  worker.send(message)
}

/** A worker that listens on a socket of its own, where it can be asked how it is, serves nobody by that. */
function whenServing(worker: Worker, then: () => void): void {
  worker.on('listening', ({ addressType }) => {
    if (addressType !== -1) then()
  })
}

/** Gives how it ended instead, if it did. */
function untilListening(worker: Worker): Promise<number | undefined> {
  return new Promise((resolve) => {
    whenServing(worker, () => resolve(undefined))
    worker.once('exit', (code) => resolve(code ?? 1))
  })
}
