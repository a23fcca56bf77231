import type { AppendOptions, Json } from '../kernel/index.ts'
import { Batches } from './batches.ts'

interface Appended {
  readonly value: string
  readonly options: AppendOptions
}

/** Adds values, as JSON, to a log in one step; gives the number of the last. */
type AppendAll = (log: string, values: readonly string[], options: AppendOptions) => Promise<number>

/** What is appended to the logs of an engine: all that comes at once in one step, which happens whole or not at all. */
export class Appends {
  readonly #batches: Batches<Appended, number>

  constructor(appendAll: AppendAll) {
    this.#batches = new Batches(async (log, items) => {
      const values = items.map(({ value }) => value)
      const last = await appendAll(log, values, items.at(-1)?.options ?? {})
      return values.map((_value, index) => last - values.length + 1 + index)
    })
  }

  add(log: string, value: Json, options: AppendOptions): Promise<number> {
    return this.#batches.add(log, { value: JSON.stringify(value), options })
  }
}
