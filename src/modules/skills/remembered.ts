import type { Stats } from 'node:fs'
import type { Found } from '../../confined/locate.ts'
import { type Read, readBytes } from './read-bytes.ts'

export interface RememberedOptions<Value> {
  make(bytes: Buffer): Value | Promise<Value>
  read?(found: Found): Promise<Read>
  now?(): number
}

/** What was made of files' bytes, for as long as the files stay as they are. */
export class Remembered<Value> {
  readonly #make: (bytes: Buffer) => Value | Promise<Value>
  readonly #read: (found: Found) => Promise<Read>
  readonly #now: () => number
  readonly #kept = new Map<string, { readonly stats: Stats; readonly value: Value }>()

  constructor({ make, read = readBytes, now = Date.now }: RememberedOptions<Value>) {
    this.#make = make
    this.#read = read
    this.#now = now
  }

  async of(found: Found): Promise<Value> {
    const kept = this.#kept.get(found.path)
    if (kept !== undefined && isSame(kept.stats, found.stats)) return kept.value
    const before = this.#now()
    const { bytes, stats } = await this.#read(found)
    const value = await this.#make(bytes)
    if (before - stats.ctimeMs > SETTLED_MS) this.#kept.set(found.path, { stats, value })
    return value
  }

  /** Forgets all files but these. */
  keep(paths: ReadonlySet<string>): void {
    for (const path of this.#kept.keys()) if (!paths.has(path)) this.#kept.delete(path)
  }
}

/** Clocks of file systems are coarse: what has only just changed can change again without showing it. */
const SETTLED_MS = 2000

/** The time of change is what nobody can set back. */
function isSame(a: Stats, b: Stats): boolean {
  return a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino && a.dev === b.dev
}
