import type { JsonObject } from '../../kernel/index.ts'
import type { CallerSide } from './open-call.ts'

/** Passes on what another server or node tells of its progress: what is no progress is its mistake, not this call's. */
export function passProgress(
  { progress, total, message }: JsonObject,
  caller: Pick<CallerSide, 'progress'>,
): void {
  if (!isNumber(progress)) return
  const text = typeof message === 'string' ? message : undefined
  caller.progress(progress, isNumber(total) ? total : undefined, text)
}

/** JSON has numbers that are too large to be any. */
function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}
