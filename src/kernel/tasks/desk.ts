import type { Budgets, Usage } from '../budgets.ts'
import { Fault } from '../faults.ts'
import type { Json } from '../jsonrpc/message.ts'
import type { Platform } from '../platform.ts'
import type { Principal } from '../principal.ts'
import { type GuardedStore, guardStore } from './guarded-store.ts'
import { Quota } from './quota.ts'
import { isOver, type TaskRecord } from './record.ts'
import { Waiting } from './waiting.ts'
import { type Abortable, Workload } from './workload.ts'

/** How many tasks of one caller can be listed. */
const LISTED = 1000

const TOPIC = 'tasks'

export interface DeskOptions {
  readonly platform: Platform
  readonly budgets: Budgets
  readonly usage: Usage
  /** Told of every change of a task, wherever it was made. */
  readonly changed: (record: TaskRecord) => void
  /** Called for a task whose process is gone; gives what has become of it. */
  readonly interrupted: (record: TaskRecord) => Promise<TaskRecord>
  /** Told what the store says when it fails. */
  readonly failed: (error: unknown) => void
}

/** Where tasks are kept, watched and changed; the work itself is done elsewhere. */
export class TaskDesk {
  readonly #options: DeskOptions
  readonly #store: GuardedStore
  readonly #workload: Workload
  readonly #waiting: Waiting
  readonly #quota: Quota
  #watchers = 0
  #subscribed: Promise<() => Promise<void>> | undefined

  constructor(options: DeskOptions) {
    const { platform, budgets, usage, failed } = options
    this.#options = options
    this.#store = guardStore(platform.store, failed)
    this.#workload = new Workload({ platform, store: this.#store, watch: () => this.watch() })
    this.#waiting = new Waiting(platform)
    this.#quota = new Quota({ budgets, usage, now: platform.now })
  }

  /** Counts a task that is about to begin; throws a Fault when there is no room for it. */
  admit(record: TaskRecord): void {
    this.#quota.admit(record)
  }

  /** A task that was admitted did not begin after all. */
  dismiss(id: string): void {
    this.#quota.forget(id)
  }

  /** A tool that waits for its client is not at work. */
  rest(id: string): void {
    this.#quota.set(id, 'resting')
  }

  wake(id: string): void {
    this.#quota.set(id, 'working')
  }

  /** Who we are among the processes that share a store. */
  get node(): string {
    return this.#workload.node
  }

  /** Whether there has ever been a task here. */
  get used(): boolean {
    return this.#workload.used
  }

  /** Keeps a new task; `list` names the list of tasks that it is shown in. */
  async create(record: TaskRecord, call: Abortable, list: TaskList | undefined): Promise<void> {
    await this.#workload.hold(record, call)
    try {
      await this.#store.put(keyOf(record.id), record as unknown as Json, ttlOf(record)) // Records are JSON.
      if (list !== undefined) await this.#store.append(list.name, record.id, { ...list.ttl, keep: LISTED })
    } catch (error) {
      this.release(record.id)
      throw error
    }
  }

  /** Makes a task whose process is gone our own; undefined when somebody else has been faster. */
  async adopt(record: TaskRecord, call: Abortable): Promise<TaskRecord | undefined> {
    if (this.#workload.has(record.id)) return undefined
    if (!this.#mayAdmit(record)) return undefined // Whoever looks again later tries again.
    try {
      await this.#workload.hold(record, call)
      const adopted = await this.change(record.id, (one) =>
        one.node === record.node ? { ...one, node: this.node, runs: one.runs + 1 } : undefined,
      )
      if (adopted?.node === this.node && !isOver(adopted)) return adopted
    } catch (error) {
      this.#drop(record.id)
      throw error
    }
    this.#drop(record.id)
    return undefined
  }

  #mayAdmit(record: TaskRecord): boolean {
    try {
      this.dismiss(record.id)
      this.admit(record)
      return true
    } catch {
      return false
    }
  }

  #drop(id: string): void {
    this.release(id)
    this.dismiss(id)
  }

  /** The work on a task has ended. */
  release(id: string): void {
    this.#quota.set(id, 'resting')
    this.#workload.release(id)
  }

  /** Somebody else's task looks like one that is not there, and like one that has expired. */
  async find(id: string, principal: Principal | undefined): Promise<TaskRecord> {
    const record = await this.#read(id)
    if (record === undefined || record.principal?.id !== principal?.id) throw unknownTask()
    return this.#settle(record)
  }

  /** A part of a list, oldest first, from after a number on. */
  async list(name: string, after: number, limit: number): Promise<TaskPage> {
    const records: TaskRecord[] = []
    for (let last = after; ; ) {
      const items = await this.#store.read(name, last, limit)
      for (const { number, value } of items) {
        if (records.length === limit) return { records, next: last }
        last = number
        const record = await this.#look(String(value))
        if (record !== undefined) records.push(record)
      }
      if (items.length < limit) return { records, next: undefined }
    }
  }

  /**
   * Changes a task that is not over, unless `alter` gives nothing; gives the task as it then is, and undefined when
   * there is none. What no client can see is changed quietly.
   */
  async change(
    id: string,
    alter: (record: TaskRecord) => TaskRecord | undefined,
    telling: 'told' | 'quietly' = 'told',
  ): Promise<TaskRecord | undefined> {
    for (;;) {
      const entry = await this.#store.get(keyOf(id))
      if (entry === undefined) return undefined
      const record = toRecord(entry.value)
      const altered = isOver(record) ? undefined : alter(record)
      if (altered === undefined) return record
      const now = this.#options.platform.now()
      const stamped = this.#quota.fit(telling === 'told' ? { ...altered, updatedAt: now } : altered)
      const options = { ifVersion: entry.version, ...restOf(stamped, now) }
      if ((await this.#store.put(keyOf(id), stamped as unknown as Json, options)) === undefined) continue
      if (telling === 'quietly') return stamped
      this.#hear(stamped)
      // The change is made; a process that is not told of it sees it when it next looks.
      await this.#store.publish(TOPIC, toNotice(this.node, stamped)).catch(() => {})
      return stamped
    }
  }

  /** The task as soon as it is as wanted; undefined when there is none, or when nobody waits any more. */
  async until(
    id: string,
    wanted: (record: TaskRecord) => boolean,
    signal: AbortSignal,
  ): Promise<TaskRecord | undefined> {
    const unwatch = await this.watch()
    try {
      while (!signal.aborted) {
        const pause = this.#waiting.pause(id, signal)
        const record = await this.#look(id).catch((error: unknown) => {
          pause.end()
          throw error
        })
        if (record === undefined || wanted(record)) {
          pause.end()
          return record
        }
        await pause.over
      }
      return undefined
    } finally {
      unwatch()
    }
  }

  /** Has every change told here, whichever process makes it, until the function given back is called. */
  async watch(): Promise<() => void> {
    this.#watchers++
    this.#subscribed ??= this.#store.subscribe(TOPIC, (notice) => this.#notice(notice))
    const subscribed = this.#subscribed
    try {
      await subscribed
    } catch (error) {
      if (this.#subscribed === subscribed) this.#subscribed = undefined
      this.#unwatch()
      throw error
    }
    let left = false
    return () => {
      if (!left) this.#unwatch()
      left = true
    }
  }

  #unwatch(): void {
    if (--this.#watchers > 0) return
    const subscribed = this.#subscribed
    this.#subscribed = undefined
    void subscribed?.then((leave) => leave()).catch(() => {}) // A store that fails now has nobody to tell.
  }

  #notice(notice: Json): void {
    const { node, record } = notice as unknown as { node: string; record: TaskRecord } // As published.
    if (node !== this.node) this.#hear(record)
  }

  #hear(record: TaskRecord): void {
    const { id, node, outcome } = record
    if (outcome.status === 'cancelled' || node !== this.node) this.#workload.abort(id)
    if (isOver(record) || node !== this.node) this.release(id)
    this.#waiting.wake(id)
    this.#options.changed(record)
  }

  async #read(id: string): Promise<TaskRecord | undefined> {
    const entry = await this.#store.get(keyOf(id))
    return entry && toRecord(entry.value)
  }

  async #look(id: string): Promise<TaskRecord | undefined> {
    const record = await this.#read(id)
    return record && this.#settle(record)
  }

  async #settle(record: TaskRecord): Promise<TaskRecord> {
    return isOver(record) || (await this.#workload.isAlive(record))
      ? record
      : this.#options.interrupted(record)
  }
}

/** A list of the tasks of one caller; it lives for a while after the last task was added. */
export interface TaskList {
  readonly name: string
  readonly ttl: { readonly ttlMs?: number }
}

export interface TaskPage {
  readonly records: readonly TaskRecord[]
  /** Where the next part begins, if there is one. */
  readonly next: number | undefined
}

export function unknownTask(): Fault {
  return new Fault('invalidParams', 'Invalid params: taskId: there is no such task')
}

const keyOf = (id: string) => `tasks/${id}`

function toRecord(value: Json): TaskRecord {
  return value as unknown as TaskRecord // Only records are put under these keys.
}

function toNotice(node: string, record: TaskRecord): Json {
  return { node, record: record as unknown as Json } // Records are JSON.
}

function ttlOf({ ttlMs }: TaskRecord): { ttlMs?: number } {
  return ttlMs === null ? {} : { ttlMs }
}

/** What is left of a task's time. */
function restOf({ ttlMs, createdAt }: TaskRecord, now: number): { ttlMs?: number } {
  return ttlMs === null ? {} : { ttlMs: Math.max(1, createdAt + ttlMs - now) }
}
