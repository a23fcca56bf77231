import type { Module } from '../authoring/define.ts'
import { LOG_LEVELS, type LogLevel } from '../kernel/index.ts'
import { limitCalls } from '../middleware/limit.ts'
import { jsonLines, openTelemetry, prometheus, telemetry } from '../middleware/telemetry/index.ts'
import type { Prometheus } from '../middleware/telemetry/sinks/prometheus.ts'
import { limitTime } from '../middleware/timeout.ts'
import { hasColours } from '../process/has-colours.ts'
import { type Config, readNumber, readOneOf } from './config.ts'
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
export async function operatorAdditions(name: () => string, config: Config): Promise<Additions> {
  const { modules, metrics } = await telemetryOf(name, config)
  const recorded = await recordedBy(name, config)
  return { modules: [...modules, ...recorded, ...limitOf(config), ...timeoutOf(config)], metrics }
}

async function recordedBy(name: () => string, config: Config): Promise<readonly Module[]> {
  const path = config.settings['telemetry']
  if (path === undefined) return []
  const { telemetryFile } = await import('./telemetry-file.ts')
  return [telemetryFile(path, config, name)]
}

function limitOf({ settings }: Config): readonly Module[] {
  const limit = settings['rate-limit']
  if (limit === undefined) return []
  const perMinute = readNumber('rate-limit', limit, MAX_PER_MINUTE)
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

async function telemetryOf(name: () => string, { settings, switches }: Config): Promise<Additions> {
  const log = readLog(settings)
  const traces = OPENTELEMETRY in globalThis ? openTelemetry() : undefined
  if (log.level === 'off' && traces === undefined && !switches.has('metrics')) return SILENCE
  const counted = switches.has('metrics')
    ? prometheus({ memory: () => process.memoryUsage.rss() })
    : undefined
  const module = telemetry({
    sinks: [
      ...(log.level === 'off'
        ? []
        : [jsonLines({ ...log, level: log.level, logger: name, write: writeLine })]),
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

interface LogSettings {
  readonly level: LogLevel | 'off'
  readonly format: 'json' | 'pretty'
  readonly colour: boolean
}

/** Lines are for people on a terminal, and for machines elsewhere, unless the operator says otherwise. */
function readLog(settings: Config['settings']): LogSettings {
  const format = settings['log-format'] ?? (process.stderr.isTTY ? 'pretty' : 'json')
  return {
    level: readOneOf('log-level', settings['log-level'], [...LOG_LEVELS, 'off']),
    format: readOneOf('log-format', format, ['json', 'pretty']),
    colour: hasColours(),
  }
}

const writeLine = (line: string) => process.stderr.write(line)
