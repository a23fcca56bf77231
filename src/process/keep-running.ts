import { ObserverError, type Server } from '../kernel/index.ts'

/** So many stray errors in so short a time are a broken server, not a tool that slipped. */
const MANY = 100
const WITHIN_MS = 10_000

/**
 * What a tool forgot to catch is that tool's loss, not everybody's: it is told, and only too many of them make
 * it give up. The function given back leaves the process as it was.
 */
export function keepRunning(server: Server, giveUp: () => void): () => void {
  const times: number[] = []
  const count = () => {
    times.push(Date.now())
    if (times.length <= MANY) return
    const first = times.shift() ?? 0
    if (Date.now() - first > WITHIN_MS) return
    times.length = 0
    const message = `Stopping: more than ${MANY} uncaught errors within ${WITHIN_MS / 1000} s`
    server.observe({ kind: 'noted', level: 'critical', message })
    giveUp()
  }
  const report = (method: string) => (error: unknown) => {
    if (error instanceof ObserverError) console.error(error)
    else server.observe({ kind: 'crashed', error, method })
    count()
  }
  const thrown = report('uncaught exception')
  const rejected = report('unhandled rejection')
  process.on('uncaughtException', thrown).on('unhandledRejection', rejected)
  return () => process.off('uncaughtException', thrown).off('unhandledRejection', rejected)
}
