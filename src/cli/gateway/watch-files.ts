import { unwatchFile, watchFile } from 'node:fs'

/** How often files are looked at: by their times, which works on every file system, and also where a file is replaced. */
const LOOK_MS = 500

/**
 * Has a function called when one of the files may have changed, or when SIGHUP says so, until the one given back is
 * called. A terminal that is closed says so by the same signal.
 */
export function watchFiles(files: readonly string[], changed: () => void): () => void {
  const look = () => changed() // One of our own, so that others who watch the same file are left alone.
  for (const file of files) watchFile(file, { interval: LOOK_MS, persistent: false }, look)
  if (!process.stdin.isTTY) process.on('SIGHUP', look)
  return () => {
    for (const file of files) unwatchFile(file, look)
    process.off('SIGHUP', look)
  }
}
