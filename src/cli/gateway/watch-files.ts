import { followFile } from '../../confined/follow-file.ts'

/**
 * Has a function called when one of the files may have changed, or when SIGHUP says so, until the one given back is
 * called. A terminal that is closed says so by the same signal.
 */
export function watchFiles(files: readonly string[], changed: () => void): () => void {
  const look = () => changed() // One of our own, so that others who hear the same signal are left alone.
  const ends = files.map((file) => followFile(file, look))
  if (!process.stdin.isTTY) process.on('SIGHUP', look)
  return () => {
    for (const end of ends) end()
    process.off('SIGHUP', look)
  }
}
