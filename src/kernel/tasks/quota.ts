import type { Budgets } from '../budgets/budgets.ts'
import { overBudget, sizeOf } from '../budgets/check.ts'
import { Ledger } from '../budgets/ledger.ts'
import type { Usage } from '../budgets/usage.ts'
import { weigh } from '../budgets/weight.ts'
import { ownerOf } from '../callers/audience.ts'
import { Fault, toWire } from '../faults.ts'
import { ended, type TaskRecord } from './record.ts'

export interface QuotaOptions {
  readonly budgets: Budgets
  readonly usage: Usage
  readonly now: () => number
}

interface Counted {
  readonly owner: string
  readonly expires: number
  bytes: number
  working: boolean
}

/** How often tasks that have expired are looked for. */
const SWEEP_MS = 1000

/** How many tasks are at work and kept, and what they take: of each caller, and in all. Counted is what is done here. */
export class Quota {
  readonly #options: QuotaOptions
  readonly #tasks = new Map<string, Counted>()
  readonly #working: Ledger<string>
  readonly #kept: Ledger<string>
  readonly #bytes: Ledger<string>
  #swept = 0

  constructor(options: QuotaOptions) {
    const { budgets, usage } = options
    // Callers who cannot be told apart share what there is for all.
    const exempt = ownerOf(undefined)
    this.#options = options
    this.#working = new Ledger({ budgets, usage, each: 'maxTasksPerCaller', all: 'maxTasks', exempt })
    this.#kept = new Ledger({ budgets, usage, each: 'maxTasksKeptPerCaller', all: 'maxTasksKept', exempt })
    this.#bytes = new Ledger({
      budgets,
      usage,
      each: 'maxTaskStorePerCallerBytes',
      all: 'maxTaskStoreBytes',
      exempt,
    })
  }

  /** Counts a new task; throws a Fault when there is no room for it. */
  admit(record: TaskRecord): void {
    this.#sweep()
    const { id, principal, createdAt, ttlMs } = record
    const owner = ownerOf(principal ?? undefined)
    const bytes = weigh(record)
    const taken: Ledger<string>[] = []
    try {
      for (const [ledger, amount] of [
        [this.#working, 1],
        [this.#kept, 1],
        [this.#bytes, bytes],
      ] as const) {
        ledger.add(owner, amount)
        taken.push(ledger)
      }
    } catch (error) {
      for (const ledger of taken) ledger.remove(owner, 1)
      throw error
    }
    const expires = ttlMs === null ? Number.POSITIVE_INFINITY : createdAt + ttlMs
    this.#tasks.set(id, { owner, expires, bytes, working: true })
  }

  /** The tool waits for its client, or works again; work that goes on is not refused. */
  set(id: string, state: 'working' | 'resting'): void {
    const task = this.#tasks.get(id)
    const working = state === 'working'
    if (task === undefined || task.working === working) return
    task.working = working
    if (working) this.#working.count(task.owner, 1)
    else this.#working.remove(task.owner, 1)
  }

  /** The record as it can be kept: a result that is too large becomes an error that says so, and the rest a Fault. */
  fit(record: TaskRecord): TaskRecord {
    const { outcome, id } = record
    const task = this.#tasks.get(id)
    if (outcome.status === 'completed') {
      const size = sizeOf(outcome.result)
      const wrong = overBudget(this.#options, 'maxTaskResultBytes', size)
      if (wrong !== undefined) return this.fit(notKept(record, `a result may have ${wrong}`))
      this.#options.usage.saw('maxTaskResultBytes', size)
    }
    if (task === undefined) return record
    const bytes = weigh(record)
    try {
      if (bytes > task.bytes) this.#bytes.add(task.owner, bytes - task.bytes)
      else this.#bytes.remove(task.owner, task.bytes - bytes)
    } catch (error) {
      if (outcome.status !== 'completed') throw error
      return this.fit(notKept(record, (error as Fault).message)) // Nothing else is thrown there.
    }
    task.bytes = bytes
    return record
  }

  /** The task is no longer kept, or never was. */
  forget(id: string): void {
    const task = this.#tasks.get(id)
    if (task === undefined) return
    this.set(id, 'resting')
    this.#tasks.delete(id)
    this.#kept.remove(task.owner, 1)
    this.#bytes.remove(task.owner, task.bytes)
  }

  #sweep(): void {
    const now = this.#options.now()
    if (now - this.#swept < SWEEP_MS) return
    this.#swept = now
    for (const [id, { expires }] of [...this.#tasks]) if (expires <= now) this.forget(id)
  }
}

function notKept(record: TaskRecord, reason: string): TaskRecord {
  const fault = new Fault('internalError', `The result of the task could not be kept: ${reason}`)
  return ended(record, { status: 'failed', error: toWire(fault) })
}
