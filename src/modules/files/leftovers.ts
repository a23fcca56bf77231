import { lstat, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Nobody writes a file for that long, so what is older was left by a process that was killed. */
const OLD_MS = 3_600_000

/** So many directories are remembered; one that was forgotten is swept once more. */
const MOST_DIRECTORIES = 1000

const OURS = /^\.perigee-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/

/** The name is not built from the target's, which may already be as long as names can be. */
export function temporaryName(): string {
  return `.perigee-${crypto.randomUUID()}.tmp`
}

/** Temporary files that processes killed while they wrote have left behind. */
export class Leftovers {
  /** When each directory was last looked through. */
  readonly #swept = new Map<string, number>()

  /** Removes those of a directory, looking at most once an hour; `handle` is the path by which it is held open. */
  async sweep(directory: string, handle: string): Promise<void> {
    const now = Date.now()
    if (now - (this.#swept.get(directory) ?? Number.NEGATIVE_INFINITY) < OLD_MS) return
    const [oldest] = this.#swept.keys()
    if (this.#swept.size >= MOST_DIRECTORIES && oldest !== undefined) this.#swept.delete(oldest)
    this.#swept.set(directory, now)
    try {
      for (const name of await readdir(handle)) if (OURS.test(name)) await removeOld(join(handle, name), now)
    } catch {
      // A directory that may be written to but not listed keeps its leftovers; that is no reason not to write.
    }
  }
}

async function removeOld(path: string, now: number): Promise<void> {
  const stats = await lstat(path)
  if (stats.isFile() && now - stats.mtimeMs > OLD_MS) await unlink(path)
}
