import type { Module } from '../authoring/define.ts'
import { rateLimit } from '../middleware/limit.ts'
import { type Config, readNumber } from './config.ts'

const MAX_PER_MINUTE = 1_000_000_000

/** What the operator adds to any server. */
export function operatorModules({ settings }: Config): readonly Module[] {
  const limit = settings['rate-limit']
  if (limit === undefined) return []
  const perMinute = readNumber('rate-limit', limit, MAX_PER_MINUTE)
  return [{ name: 'limits', middleware: [rateLimit({ perMinute })] }]
}
