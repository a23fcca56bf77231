import type { Question } from '../asking/needs.ts'
import type { Call } from '../call.ts'
import { Fault } from '../faults.ts'
import type { Json, JsonObject } from '../jsonrpc/message.ts'
import type { Platform } from '../platform.ts'
import { isOver, type TaskRecord } from './record.ts'

/** How long a process that says nothing counts as alive. */
const LEASE_MS = 3000
const TOPIC = 'tasks'

export interface DeskOptions {
  readonly platform: Platform
  /** Told of every change of a task, wherever it was made. */
  readonly changed: (record: TaskRecord) => void
  /** Called for a task whose process is gone; gives what has become of it. */
  readonly interrupted: (record: TaskRecord) => Promise<TaskRecord>
}

/** Where tasks are kept, watched and changed; the work itself is done elsewhere. */
export class TaskDesk {
  readonly node: string
  readonly #options: DeskOptions
  /** The calls that this process works on. */
  readonly #running = new Map<string, Call>()
  readonly #waiting = new Map<string, Set<(record: TaskRecord) => void>>()
  #subscribed: Promise<unknown> | undefined
  #leased = false

  constructor(options: DeskOptions) {
    this.#options = options
    this.node = options.platform.randomId()
  }

  async create(record: TaskRecord, call: Call): Promise<void> {
    const { store } = this.#options.platform
    this.#running.set(record.id, call)
    await this.#watch()
    await this.#lease()
    await store.put(key(record.id), record as unknown as Json, ttl(record)) // Records are JSON.
    await store.append(index(record.principal), record.id, ttl(record))
  }

  /** Somebody else's task looks like one that is not there. */
  async find(id: unknown, principal: string | null): Promise<TaskRecord> {
    const record = typeof id === 'string' ? await this.#read(id) : undefined
    if (record === undefined || record.principal !== principal) {
      throw new Fault('invalidParams', `Invalid params: taskId: there is no task ${String(id)}`)
    }
    return isOver(record) || (await this.#isAlive(record.node)) ? record : this.#options.interrupted(record)
  }

  /** The tasks of one caller, oldest first, from after a number on. */
  async list(principal: string | null, after: number, limit: number) {
    const items = await this.#options.platform.store.read(index(principal), after, limit)
    const records = await Promise.all(items.map(({ value }) => this.#read(String(value))))
    return { last: items.at(-1)?.number, records: records.filter((record) => record !== undefined) }
  }

  /** Changes a task that is not over; gives what it then is. A change that finds nothing to do gives undefined. */
  async change(
    id: string,
    alter: (record: TaskRecord) => TaskRecord | undefined,
  ): Promise<TaskRecord | undefined> {
    const { store, now } = this.#options.platform
    for (;;) {
      const entry = await store.get(key(id))
      if (entry === undefined) return undefined
      const record = entry.value as unknown as TaskRecord
      const altered = isOver(record) ? undefined : alter(record)
      if (altered === undefined) return record
      const stamped = { ...altered, updatedAt: now() }
      const options = { ifVersion: entry.version, ...rest(stamped, now()) }
      if ((await store.put(key(id), stamped as unknown as Json, options)) === undefined) continue
      if (isOver(stamped)) this.#running.delete(id)
      await store.publish(TOPIC, id)
      return stamped
    }
  }

  /** Resolves with the task as soon as it is as wanted. */
  async until(
    id: string,
    wanted: (record: TaskRecord) => boolean,
    signal: AbortSignal,
  ): Promise<TaskRecord | undefined> {
    await this.#watch()
    const record = await this.#read(id)
    if (record === undefined || wanted(record)) return record
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set()
      const look = (changed: TaskRecord) => {
        if (!wanted(changed)) return
        leave()
        resolve(changed)
      }
      const leave = () => waiting.delete(look)
      signal.addEventListener('abort', () => {
        leave()
        resolve(undefined)
      })
      this.#waiting.set(id, waiting.add(look))
    })
  }

  async #read(id: string): Promise<TaskRecord | undefined> {
    const entry = await this.#options.platform.store.get(key(id))
    return entry?.value as unknown as TaskRecord | undefined // Only records are put under these keys.
  }

  /** Every process that shares the store hears of every change. */
  #watch(): Promise<unknown> {
    this.#subscribed ??= this.#options.platform.store.subscribe(TOPIC, (id) => void this.#heard(String(id)))
    return this.#subscribed
  }

  async #heard(id: string): Promise<void> {
    const record = await this.#read(id)
    if (record === undefined) return
    if (record.outcome.status === 'cancelled') this.#running.get(id)?.stop()
    if (isOver(record)) this.#running.delete(id)
    for (const look of [...(this.#waiting.get(id) ?? [])]) look(record)
    if (isOver(record)) this.#waiting.delete(id)
    this.#options.changed(record)
  }

  async #isAlive(node: string): Promise<boolean> {
    return node === this.node || (await this.#options.platform.store.get(lease(node))) !== undefined
  }

  /** As long as there is work, the store is told that we are at it. */
  async #lease(): Promise<void> {
    if (this.#leased) return
    this.#leased = true
    const { platform } = this.#options
    const renew = async (): Promise<void> => {
      if (this.#running.size === 0) {
        this.#leased = false
        return
      }
      await platform.store.put(lease(this.node), true, { ttlMs: LEASE_MS })
      platform.after(LEASE_MS / 3, () => void renew())
    }
    await renew()
  }
}

export function unanswered(questions: { readonly [key: string]: Question }, answers: JsonObject) {
  return Object.fromEntries(Object.entries(questions).filter(([key]) => !Object.hasOwn(answers, key)))
}

const key = (id: string) => `tasks/${id}`
const index = (principal: string | null) => `tasks-of/${principal ?? ''}`
const lease = (node: string) => `task-nodes/${node}`

function ttl({ ttlMs }: TaskRecord): { ttlMs?: number } {
  return ttlMs === null ? {} : { ttlMs }
}

/** What is left of a task's time. */
function rest({ ttlMs, createdAt }: TaskRecord, now: number): { ttlMs?: number } {
  return ttlMs === null ? {} : { ttlMs: Math.max(1, createdAt + ttlMs - now) }
}
