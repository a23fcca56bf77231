import type { Call } from './call.ts'

/** Many clients give up after a minute of silence; a proxy or two between may be faster. */
const SILENCE_MS = 15_000

/** Tells a client that waits for progress that a silent call is still alive; gives what ends that. */
export function beat(call: Call): () => void {
  const { after } = call.server.platform
  let seen = call.progressed
  let stop = after(SILENCE_MS, next)
  return () => stop()

  function next(): void {
    if (call.aborted || call.finished) return
    if (call.progressed === seen) call.progressAgain()
    seen = call.progressed
    stop = after(SILENCE_MS, next)
  }
}
