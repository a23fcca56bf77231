import { isObject, type Json, type Store } from '../../kernel/index.ts'

/** Records of another version are of a server that is newer or older than this one. */
const VERSION = 1

/** How often a change is tried anew that somebody else came before. */
const TRIES = 20

interface RecordPlace {
  readonly store: Store
  readonly name: string
  readonly ttlMs: number
  /** Told when something is met that a server of another version has kept. */
  readonly foreign: () => void
}

const FOREIGN = 'What is kept here was written by a server of another version, which this one cannot change'

/** What stands under a key; no values where they cannot be read here. */
interface KeptValues {
  readonly values: readonly Json[] | undefined
  readonly version: number
}

/** What is kept of each owner, and who the owners are: an entry for each, and one for all. */
export class KeptRecords {
  readonly #place: RecordPlace

  constructor(place: RecordPlace) {
    this.#place = place
  }

  async owners(): Promise<readonly string[]> {
    return ((await this.#read(this.#index)).values ?? []) as readonly string[] // As written.
  }

  /** Undefined where it cannot be read here. */
  async read(owner: string): Promise<readonly Json[] | undefined> {
    return (await this.#read(this.#key(owner))).values
  }

  /** Changes what is kept of an owner; `change` is handed what there is, and gives undefined to leave it. */
  async change(
    owner: string,
    change: (values: readonly Json[]) => RecordChange | undefined,
  ): Promise<boolean> {
    if ((await this.#read(this.#index)).values === undefined) throw new Error(FOREIGN)
    const changed = await this.#change(this.#key(owner), change)
    if (changed) await this.#enlist(owner)
    return changed
  }

  /** Nothing is kept of an owner any more; whoever keeps something meanwhile stays on the list. */
  async forget(owner: string): Promise<void> {
    if (!(await this.owners()).includes(owner)) return
    await this.#change(this.#index, (owners) =>
      owners.includes(owner) ? { values: owners.filter((one) => one !== owner) } : undefined,
    )
    if ((await this.read(owner))?.length !== 0) await this.#enlist(owner)
  }

  async touch(owner: string): Promise<void> {
    const { store, ttlMs } = this.#place
    await Promise.all([store.touch(this.#index, ttlMs), store.touch(this.#key(owner), ttlMs)])
  }

  #enlist(owner: string): Promise<boolean> {
    return this.#change(this.#index, (owners) =>
      owners.includes(owner) ? undefined : { values: [...owners, owner] },
    )
  }

  async #change(
    key: string,
    change: (values: readonly Json[]) => RecordChange | undefined,
  ): Promise<boolean> {
    const { store, ttlMs } = this.#place
    for (let tries = 0; tries < TRIES; tries++) {
      const { values, version } = await this.#read(key)
      if (values === undefined) throw new Error(FOREIGN)
      const changed = change(values)
      if (changed === undefined) return false
      try {
        const put = await store.put(
          key,
          { v: VERSION, values: [...changed.values] },
          { ttlMs, ifVersion: version },
        )
        if (put !== undefined) return true
      } catch (error) {
        changed.undo?.()
        throw error
      }
      changed.undo?.()
    }
    throw new Error('Too many others change this at the same time: try again')
  }

  async #read(key: string): Promise<KeptValues> {
    const entry = await this.#place.store.get(key)
    if (entry === undefined) return { values: [], version: 0 }
    const { v, values } = isObject(entry.value) ? entry.value : {}
    const { version } = entry
    if (v === undefined || v === VERSION) return { values: Array.isArray(values) ? values : [], version }
    this.#place.foreign()
    return { values: undefined, version }
  }

  get #index(): string {
    return `kept/${this.#place.name}`
  }

  #key(owner: string): string {
    return `kept/${this.#place.name}/${owner}`
  }
}

/** What there is to be, and what to do if that does not come about. */
interface RecordChange {
  readonly values: readonly Json[]
  undo?(): void
}
