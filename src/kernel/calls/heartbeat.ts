import type { Call } from './call.ts'

/** Many clients give up after a minute of silence; a proxy or two between may be faster. */
const SILENCE_MS = 15_000

/** Tells a client that waits for progress that a silent call is still alive; gives what ends that. */
export function beat(call: Call): () => void {
  const { progressing, server } = call
  const { after } = server.platform
  let seen = progressing.times
  let stop = after(SILENCE_MS, next)
  return () => stop()

  function next(): void {
    if (call.aborted || call.finished) return
    if (progressing.times === seen) progressing.again()
    seen = progressing.times
    stop = after(SILENCE_MS, next)
  }
}
