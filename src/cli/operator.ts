import type { Module } from '../authoring/define.ts'
import { limitCalls } from '../middleware/limit.ts'
import { openTelemetry, prometheus, telemetry } from '../middleware/telemetry/index.ts'
import type { Prometheus } from '../middleware/telemetry/sinks/prometheus.ts'
import { limitTime } from '../middleware/timeout.ts'
import { type Config, readNumber } from './config.ts'
import type { Log } from './log.ts'
import { UsageError } from './usage-error.ts'

const MAX_PER_MINUTE = 1_000_000_000
const MAX_SECONDS = 86_400

/** What the operator adds to any server. */
export interface Additions {
  readonly modules: readonly Module[]
  /** What Prometheus reads, where that was asked for. */
  readonly metrics: Prometheus | undefined
}

/** A server in a file has its name only once it is loaded. */
export async function operatorAdditions(name: () => string, config: Config, log: Log): Promise<Additions> {
  const { modules, metrics } = await telemetryOf(log, config)
  const recorded = await recordedBy(name, config)
  return { modules: [...modules, ...recorded, ...limitOf(config), ...timeoutOf(config)], metrics }
}

async function recordedBy(name: () => string, config: Config): Promise<readonly Module[]> {
  const { telemetry: path, 'telemetry-size': size } = config.settings
  if (size === undefined) return [] // Where there is such a file, it has a size.
  const { readSize, telemetryFile } = await import('./telemetry-file.ts')
  const maxBytes = readSize(size)
  return path === undefined ? [] : [telemetryFile(path, maxBytes, name)]
}

function limitOf({ settings, sources }: Config): readonly Module[] {
  const limit = settings['rate-limit']
  if (limit === undefined) return []
  const perMinute = readNumber('rate-limit', limit, MAX_PER_MINUTE)
  if (perMinute === 0)
    throw new UsageError(
      `${sources['rate-limit']}: expected a number of calls a minute from 1 on, or none for no limit, got 0`,
    )
  return [{ name: 'limits', wraps: 'server', middleware: [limitCalls({ perMinute }, '--rate-limit')] }]
}

function timeoutOf({ settings }: Config): readonly Module[] {
  if (settings['timeout'] === undefined) return []
  const seconds = readNumber('timeout', settings['timeout'], MAX_SECONDS)
  if (seconds === 0) throw new UsageError('timeout: expected at least a second')
  return [{ name: 'timeout', wraps: 'server', middleware: [limitTime({ ms: seconds * 1000 }, '--timeout')] }]
}

/** Where OpenTelemetry's API keeps what an SDK has set up; without one, nothing is worth telling it. */
const OPENTELEMETRY = Symbol.for('opentelemetry.js.api.1')

async function telemetryOf({ sink }: Log, { switches }: Config): Promise<Additions> {
  const traces = OPENTELEMETRY in globalThis ? openTelemetry() : undefined
  if (sink === undefined && traces === undefined && !switches.has('metrics')) return SILENCE
  const counted = switches.has('metrics')
    ? prometheus({ memory: () => process.memoryUsage.rss() })
    : undefined
  const module = telemetry({
    sinks: [
      ...(sink === undefined ? [] : [sink]),
      ...(traces === undefined ? [] : [traces]),
      ...(counted === undefined ? [] : [counted]),
    ],
  })
  await traces?.ready
  return {
    modules: [{ ...module, reports: true }],
    metrics: counted,
  }
}

/** Whoever wants to hear nothing hears nothing of what goes wrong either. */
const SILENCE: Additions = { modules: [{ name: 'silence', reports: true }], metrics: undefined }
