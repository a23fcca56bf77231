import { legible, type Server } from '../kernel/index.ts'

/** So many stray errors in so short a time are more than a tool that slipped. */
const [MANY, WITHIN_MS] = [100, 10_000]

const TOO_MANY = 'More than 100 uncaught errors within 10 s: the server goes on, and tells of no more of them'

/**
 * What a tool forgot to catch is that tool's loss, not everybody's: it is told, and however many they are, nobody who
 * calls that tool again and again ends the server for others. Whoever is told may make one more by that, so there is an end to it. The function given back leaves the process as it was.
 */
export function keepRunning(server: Server): () => void {
  let [since, errors] = [0, 0]
  const report = (method: string) => (thrown: unknown) => {
    if (Date.now() - since > WITHIN_MS) [since, errors] = [Date.now(), 0]
    errors++
    if (errors <= MANY) server.observe({ kind: 'crashed', error: legible(thrown), method })
    else if (errors === MANY + 1) server.observe({ kind: 'noted', level: 'critical', message: TOO_MANY })
  }
  const thrown = report('uncaught exception')
  const rejected = report('unhandled rejection')
  process.on('uncaughtException', thrown).on('unhandledRejection', rejected)
  return () => process.off('uncaughtException', thrown).off('unhandledRejection', rejected)
}
