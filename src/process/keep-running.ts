import { ObserverError, type Server } from '../kernel/index.ts'

/** So many stray errors in so short a time are more than a tool that slipped. */
const MANY = 100
const WITHIN_MS = 10_000

/**
 * What a tool forgot to catch is that tool's loss, not everybody's: it is told, and however many they are, nobody who
 * calls that tool again and again ends the server for others. The function given back leaves the process as it was.
 */
export function keepRunning(server: Server): () => void {
  let [since, errors] = [Number.NEGATIVE_INFINITY, 0]
  const count = () => {
    if (Date.now() - since > WITHIN_MS) [since, errors] = [Date.now(), 0]
    if (++errors !== MANY + 1) return
    const message = `More than ${MANY} uncaught errors within ${WITHIN_MS / 1000} s: the server goes on; mend the tool that they come from, or restart the server if it no longer does its work`
    server.observe({ kind: 'noted', level: 'critical', message })
  }
  const report = (method: string) => (error: unknown) => {
    if (isObserverError(error)) console.error(error)
    else server.observe({ kind: 'crashed', error, method })
    count()
  }
  const thrown = report('uncaught exception')
  const rejected = report('unhandled rejection')
  process.on('uncaughtException', thrown).on('unhandledRejection', rejected)
  return () => process.off('uncaughtException', thrown).off('unhandledRejection', rejected)
}

/** Anything can be thrown, also what throws again when it is looked at. */
function isObserverError(error: unknown): boolean {
  try {
    return error instanceof ObserverError
  } catch {
    return false
  }
}
