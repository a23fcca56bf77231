import type { Module } from '../authoring/define.ts'
import { LOG_LEVELS, type Server } from '../kernel/index.ts'
import { rateLimit } from '../middleware/limit.ts'
import type { Prometheus } from '../middleware/telemetry/prometheus.ts'
import { type Config, readNumber, readOneOf } from './config.ts'
import type { Page } from './page.ts'

const MAX_PER_MINUTE = 1_000_000_000

/** What the operator adds to any server. */
export interface Additions {
  readonly modules: readonly Module[]
  /** What Prometheus reads, where that was asked for. */
  readonly metrics: ((server: Server) => Page) | undefined
}

export async function operatorAdditions(config: Config): Promise<Additions> {
  const { modules, metrics } = await telemetryOf(config)
  return { modules: [...modules, ...limitOf(config)], metrics }
}

function limitOf({ settings }: Config): readonly Module[] {
  const limit = settings['rate-limit']
  if (limit === undefined) return []
  const perMinute = readNumber('rate-limit', limit, MAX_PER_MINUTE)
  return [{ name: 'limits', middleware: [rateLimit({ perMinute })] }]
}

/** Where OpenTelemetry's API keeps what an SDK has set up; without one, nothing is worth telling it. */
const OPENTELEMETRY = Symbol.for('opentelemetry.js.api.1')

/** Telemetry that nobody listens to is not even loaded. */
async function telemetryOf({ settings, switches }: Config): Promise<Additions> {
  const level = readOneOf('log-level', settings['log-level'], [...LOG_LEVELS, 'off'])
  const format = readOneOf('log-format', settings['log-format'], ['json', 'pretty'])
  const traced = OPENTELEMETRY in globalThis
  if (level === 'off' && !traced && !switches.has('metrics')) return { modules: [], metrics: undefined }
  const { jsonLines, openTelemetry, prometheus, telemetry } = await import('../middleware/telemetry/index.ts')
  const counted = switches.has('metrics')
    ? prometheus({ memory: () => process.memoryUsage.rss() })
    : undefined
  const module = telemetry({
    sinks: [
      ...(level === 'off' ? [] : [jsonLines({ write: (line) => process.stderr.write(line), level, format })]),
      ...(traced ? [openTelemetry()] : []),
      ...(counted === undefined ? [] : [counted]),
    ],
  })
  await module.ready
  return { modules: [module], metrics: counted && ((server) => pageOf(counted, server)) }
}

function pageOf(counted: Prometheus, server: Server): Page {
  counted.watch(server)
  return (exchange) => counted.page(exchange)
}
