import { availableParallelism } from 'node:os'
import type { Config } from '../config.ts'
import { UsageError } from '../usage-error.ts'

const MOST = 256

/** How many workers are wanted; undefined where this process serves by itself. */
export function readWorkers({ settings, transport, sources }: Config): number | undefined {
  const { workers, store } = settings
  if (workers === undefined || transport === 'stdio') return undefined
  if (store === 'memory:')
    throw new UsageError(
      `${sources['store']}: workers cannot share memory:, so leave it out, or name another`,
    )
  const size = workers === 'auto' ? availableParallelism() : Number(workers)
  if ((workers === 'auto' || /^\d+$/.test(workers)) && size >= 1 && size <= MOST) return size
  throw new UsageError(
    `${sources['workers']}: expected a number from 1 to ${MOST}, or auto for one a processor, got ${JSON.stringify(workers)}`,
  )
}
