import type { AuthorMiddleware, Call } from '../../../kernel/index.ts'
import type { Sink } from '../sink.ts'
import type { Api } from './open-telemetry-metrics.ts'
import { Reporter } from './open-telemetry-reporter.ts'

/** How OpenTelemetry is told. */
export interface OpenTelemetryOptions {
  /** The version of the server, which its spans and metrics are said to come from. */
  readonly version?: string
  /** Where the API comes from. */
  readonly load?: () => Promise<unknown>
}

/** A sink that tells OpenTelemetry. */
export interface OpenTelemetry extends Sink {
  readonly middleware: AuthorMiddleware
  /** Fulfilled once the API is loaded, or known to be absent; what happens before is not told. */
  readonly ready: Promise<void>
}

/**
 * Tells OpenTelemetry, if its API is installed; what becomes of it is for the SDK that the process has set up.
 * @example telemetry({ sinks: [openTelemetry({ version: '1.0.0' })] })
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): OpenTelemetry {
  const { version, load = loadApi } = options
  let reporter: Reporter | undefined
  return {
    middleware: (call: Call, next) => (reporter === undefined ? next(call) : reporter.goOn(call, next)),
    take: (record, _level, source) => reporter?.take(record, source),
    ready: tryTo(load).then((api) => {
      if (api !== undefined) reporter = new Reporter(api as Api, version) // It is what `load` is there to give.
    }),
  }
}

async function tryTo(load: () => Promise<unknown>): Promise<unknown> {
  try {
    return await load()
  } catch {
    return undefined // It is optional: whoever wants it installs it.
  }
}

/** It is optional; where its absence is caught on the spot, bundlers leave it out without a word. */
async function loadApi(): Promise<unknown> {
  try {
    return await import('@opentelemetry/api')
  } catch {
    return undefined
  }
}
