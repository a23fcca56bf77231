import type { Worker } from 'node:cluster'
import { addUp, onlyGrowing } from '../../middleware/telemetry/sinks/prometheus-sum.ts'
import type { ToWorker } from './messages.ts'

/** How long a worker that is busy may take to say what it has counted, before its last word is taken. */
const PATIENCE_MS = 1000

/** What all workers have counted together, with those that have ended. */
export class Totals {
  readonly #counted = new Map<number, string>()
  #departed = ''
  #waiting: { readonly missing: Set<number>; readonly done: () => void } | undefined
  #asking: Promise<void> | undefined

  /** A worker has said what it has counted. */
  take(id: number, text: string): void {
    this.#counted.set(id, text)
    this.#settle(id)
  }

  /** What it has counted stays counted, since totals that fall look like a beginning. */
  depart(id: number): void {
    this.#departed = addUp([this.#departed, onlyGrowing(this.#counted.get(id) ?? '')])
    this.#counted.delete(id)
    this.#settle(id)
  }

  /** Asks every worker; whoever wants to know meanwhile is told the same. */
  async read(workers: readonly Worker[]): Promise<string> {
    this.#asking ??= this.#ask(workers).finally(() => {
      this.#asking = undefined
    })
    await this.#asking
    return addUp([...this.#counted.values(), this.#departed])
  }

  #ask(workers: readonly Worker[]): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, PATIENCE_MS)
      const done = () => {
        clearTimeout(late)
        resolve()
      }
      const asked = workers.filter((worker) => worker.isConnected())
      this.#waiting = { missing: new Set(asked.map(({ id }) => id)), done }
      const question: ToWorker = { perigee: 'count' }
      for (const worker of asked) worker.send(question)
      if (asked.length === 0) done()
    })
  }

  #settle(id: number): void {
    const { missing, done } = this.#waiting ?? {}
    if (missing?.delete(id) === true && missing.size === 0) done?.()
  }
}
