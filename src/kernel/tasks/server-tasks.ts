import type { Budgets } from '../budgets/budgets.ts'
import type { Usage } from '../budgets/usage.ts'
import type { Principal } from '../callers/principal.ts'
import { Fault } from '../faults.ts'
import type { Platform } from '../ports/platform.ts'
import { TaskChanges } from './changes.ts'
import { type Abortable, Lease } from './lease.ts'
import { Quota } from './quota.ts'
import { isOver, type TaskRecord } from './record.ts'
import { type GuardedStore, guardStore, putTask, readTask, replaceTask, unlessForeign } from './store.ts'

/** How many tasks of one caller can be listed. */
const LISTED = 1000

export interface ServerTasksOptions {
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
export class ServerTasks {
  readonly #options: ServerTasksOptions
  readonly #store: GuardedStore
  readonly #lease: Lease
  readonly #changes: TaskChanges
  readonly #quota: Quota

  constructor(options: ServerTasksOptions) {
    const { platform, budgets, usage, failed } = options
    this.#options = options
    const store = guardStore(platform.store, failed)
    this.#store = store
    const heard = (record: TaskRecord) => this.#hear(record)
    this.#changes = new TaskChanges({ after: platform.after, store, node: () => this.node, heard })
    this.#lease = new Lease({ platform, store, watch: () => this.watch() })
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
    return this.#lease.node
  }

  /** Whether there has ever been a task here. */
  get used(): boolean {
    return this.#lease.used
  }

  /** Keeps a new task; `list` names the list of tasks that it is shown in. */
  async create(record: TaskRecord, call: Abortable, list: TaskList | undefined): Promise<void> {
    await this.#lease.hold(record, call)
    try {
      await putTask(this.#store, record)
      if (list !== undefined) await this.#store.append(list.name, record.id, { ...list.ttl, keep: LISTED })
    } catch (error) {
      this.release(record.id)
      throw error
    }
  }

  /** Makes a task whose process is gone our own; undefined when somebody else has been faster. */
  async adopt(record: TaskRecord, call: Abortable): Promise<TaskRecord | undefined> {
    if (this.#lease.has(record.id)) return undefined
    if (!this.#mayAdmit(record)) return undefined // Whoever looks again later tries again.
    try {
      await this.#lease.hold(record, call)
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
    this.#lease.release(id)
  }

  /** Leaves what is being worked on to whoever looks at it next, as if the process had ended. */
  async close(): Promise<void> {
    for (const id of await this.#lease.close()) this.#quota.set(id, 'resting')
  }

  /** Whether the work on a task is still ours. */
  holds(id: string): boolean {
    return this.#lease.has(id)
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
        const record = await this.#look(String(value)).catch(unlessForeign)
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
      const kept = await readTask(this.#store, id)
      if (kept === undefined) return undefined
      const { record, version } = kept
      const altered = isOver(record) ? undefined : alter(record)
      if (altered === undefined) return record
      const now = this.#options.platform.now()
      const stamped = this.#quota.fit(telling === 'told' ? { ...altered, updatedAt: now } : altered)
      if (!(await replaceTask(this.#store, { record: stamped, version }, now))) continue
      if (telling === 'quietly') return stamped
      this.#hear(stamped)
      await this.#changes.publish(stamped)
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
        const pause = this.#changes.pause(id, signal)
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
  watch(): Promise<() => void> {
    return this.#changes.watch()
  }

  #hear(record: TaskRecord): void {
    const { id, node, outcome } = record
    if (outcome.status === 'cancelled' || node !== this.node) this.#lease.abort(id)
    if (isOver(record) || node !== this.node) this.release(id)
    this.#changes.wake(id)
    this.#options.changed(record)
  }

  async #read(id: string): Promise<TaskRecord | undefined> {
    return (await readTask(this.#store, id))?.record
  }

  async #look(id: string): Promise<TaskRecord | undefined> {
    const record = await this.#read(id)
    return record && this.#settle(record)
  }

  async #settle(record: TaskRecord): Promise<TaskRecord> {
    return isOver(record) || (await this.#lease.isAlive(record)) ? record : this.#options.interrupted(record)
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
