import { type Stats, stat, statSync } from 'node:fs'

/** How often a file is looked at: by its times, which works on every file system, and also where a file is replaced. */
const LOOK_MS = 500

/**
 * Calls `changed` when a file is not as it is now any more, until the function given back is called; the process does not
 * stay for it. Node's own watch compares with what it sees first, which may be what it should have told of.
 */
export function followFile(path: string, changed: () => void): () => void {
  let known = stampOf(path)
  let looking = false
  const timer = setInterval(() => {
    if (looking) return // What takes longer than that, a folder far away, is not asked twice.
    looking = true
    stat(path, (_error, stats) => {
      looking = false
      const before = known
      known = stamp(stats)
      if (known !== before) changed()
    })
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** By what one sees that a file is another. */
export function stampOf(path: string): string {
  try {
    return stamp(statSync(path))
  } catch {
    return stamp(undefined) // Why it cannot be looked at is told to whoever reads it.
  }
}

function stamp(stats: Stats | undefined): string {
  return stats === undefined ? 'none' : `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`
}
