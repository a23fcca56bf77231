import { defineServer } from '../../src/authoring/define-server.ts'
import { Fault } from '../../src/index.ts'
import type { Call, AuthorMiddleware as Middleware, Server } from '../../src/kernel/index.ts'
import {
  type Sink,
  type TelemetryOptions,
  type TelemetryRecord,
  telemetry,
} from '../../src/middleware/telemetry/index.ts'

interface More extends Partial<Omit<TelemetryOptions, 'sinks'>> {
  readonly middleware?: readonly Middleware[]
  /** What the tool `run` does. */
  readonly run?: (args: { readonly [name: string]: unknown }, call: Call) => unknown
}

const ANY = { type: 'object' }

/** A server with a tool for every way to come out, watched by these sinks. */
export function sample(sinks: readonly Sink[], { middleware = [], run, ...options }: More = {}): Server {
  return defineServer({
    name: 'sample',
    version: '1.0.0',
    modules: [
      telemetry({ sinks, ...options }),
      { name: 'later', wraps: 'server', middleware },
      {
        name: 'offers',
        tools: [
          { name: 'echo', input: ANY, run: (args) => JSON.stringify(args) },
          { name: 'later', input: ANY, run: async (args) => JSON.stringify(args) },
          {
            name: 'picky',
            input: { type: 'object', properties: { n: { type: 'number' } } },
            run: () => 'fine',
          },
          {
            name: 'broken',
            input: ANY,
            run: (args) => {
              throw new TypeError(`cannot use ${JSON.stringify(args)}`)
            },
          },
          {
            name: 'refusing',
            input: ANY,
            run: (args) => {
              throw new Fault('invalidParams', `not this: ${JSON.stringify(args)}`)
            },
          },
          { name: 'endless', run: () => new Promise<string>(() => {}) },
          { name: 'run', input: ANY, run: (args, call: Call) => run?.(args, call) as string | undefined },
        ],
        prompts: [{ name: 'greet', render: () => 'Hello' }],
        resources: [{ uri: 'memo://one', name: 'one', read: () => 'text' }],
      },
    ],
  })
}

/** A sink that keeps what it is told. */
export function keep(level?: Sink['level']): Sink & { readonly records: TelemetryRecord[] } {
  const records: TelemetryRecord[] = []
  return { ...(level !== undefined && { level }), records, take: (record) => records.push(record) }
}

/** A clock that stands still between two turns. */
export function handClock() {
  const clock = { at: 0, now: () => Date.UTC(2026, 0, 1) + clock.at, ticks: () => clock.at }
  return clock
}
