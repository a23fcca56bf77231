import { type AuthorServer, BUDGET_NAMES } from '../../../kernel/index.ts'
import type { CallEnding, CompletedRecord, TelemetryRecord } from '../records.ts'
import type { Sink } from '../sink.ts'
import { bounded, boundedMethod, OTHER, type Subject } from '../subject.ts'
import { CONTENT_TYPE } from './content-type.ts'
import { DURATION_BUCKETS, STORE_BUCKETS } from './conventions.ts'
import { Counter, type Family, Gauge, Gauges, Histogram } from './prometheus-text.ts'

/** What is counted how. */
export interface PrometheusOptions {
  /** How many bytes of memory the process holds, if that is to be told. */
  readonly memory?: () => number
}

/** Whatever can be answered over HTTP. */
export interface Answerable {
  answer(status: number, headers: { readonly [name: string]: string }, body?: string): void
}

/** A sink that counts, and a page with the counts. */
export interface Prometheus extends Sink {
  take(record: TelemetryRecord): void
  /** What has been counted so far, in Prometheus' text format. */
  render(): string
  /** Tells of a server's budgets, too, and of what has come of other nodes. */
  watch(server: Watched): void
  /** Answers a request for it. */
  readonly page: (exchange: Answerable) => void
}

/** As much of a server as is watched. */
export type Watched = Pick<AuthorServer, 'budgets' | 'usage' | 'traced'>

/** A server may get new tools for ever; so many of them are told apart. */
const MAX_TOOLS = 500

/**
 * Counts what happens, for Prometheus to come and read.
 * @example
 * const counted = prometheus()
 * const server = defineServer({ name: 'sums', version: '1.0.0', modules: [telemetry({ sinks: [counted] })] })
 * await serveHttp(server, { pages: { '/metrics': counted.page } })
 */
export function prometheus({ memory }: PrometheusOptions = {}): Prometheus {
  const counts = createCounts()
  const families: Family[] = [
    ...Object.values(counts.families),
    new Gauge(
      { name: 'process_start_time_seconds', help: 'When the process began, in seconds since 1970.' },
      () => performance.timeOrigin / 1000,
    ),
    ...(memory === undefined
      ? []
      : [
          new Gauge(
            { name: 'process_resident_memory_bytes', help: 'Memory that the process holds.' },
            memory,
          ),
        ]),
  ]
  const render = () => families.map((family) => family.print()).join('')
  return {
    take: (record) => count(record, counts),
    render,
    watch: (server) => void families.push(...budgetFamilies(server), ...nodeFamilies(server)),
    page: (exchange) => exchange.answer(200, { 'content-type': CONTENT_TYPE }, render()),
  }
}

function budgetFamilies({ budgets, usage }: Watched): readonly Family[] {
  const gauges = (name: string, help: string, read: (budget: (typeof BUDGET_NAMES)[number]) => number) =>
    new Gauges({ name, help, labels: ['budget'] }, () =>
      BUDGET_NAMES.map((budget) => [read(budget), budget] as const),
    )
  return [
    gauges('mcp_server_budget_limit', 'How far what callers can make grow may grow.', (one) => budgets[one]),
    gauges('mcp_server_budget_used', 'How much of each budget is used, or the most seen.', (one) =>
      usage.read(one),
    ),
  ]
}

function nodeFamilies({ traced }: Watched): readonly Family[] {
  const total = (name: string, help: string, read: () => number) => new Gauge({ name, help }, read, 'counter')
  return [
    total(
      'mcp_server_sessions_adopted_total',
      'Sessions that went on here by their record.',
      () => traced.adopted,
    ),
    total(
      'mcp_server_events_replayed_total',
      'Events of streams that were told by their log.',
      () => traced.replayed,
    ),
    total(
      'mcp_server_calls_lost_total',
      'Calls that were answered for a node that is gone.',
      () => traced.lost,
    ),
  ]
}

type Counts = ReturnType<typeof createCounts>

function createCounts() {
  const underWay = { requests: 0, sessions: 0 }
  return {
    underWay,
    tools: new Set<string>(),
    families: { ...createRequestFamilies(), ...createStoreFamilies(), ...createStateFamilies(underWay) },
  }
}

function createRequestFamilies() {
  return {
    requests: new Counter({
      name: 'mcp_server_requests_total',
      help: 'Requests answered, by how they came out: ok, tool_error, cancelled, or the code of an error.',
      labels: ['method', 'outcome'],
    }),
    toolCalls: new Counter({
      name: 'mcp_server_tool_calls_total',
      help: 'Calls of tools, by how they came out.',
      labels: ['tool', 'outcome'],
    }),
    durations: new Histogram(
      {
        name: 'mcp_server_operation_duration_seconds',
        help: 'How long requests took, from when they were received until they were answered.',
        labels: ['method', 'tool', 'outcome'],
      },
      DURATION_BUCKETS,
    ),
    refusals: new Counter({
      name: 'mcp_server_refusals_total',
      help: 'What was turned away before it became a call: refused requests, what was no message, and HTTP requests by their status.',
      labels: ['reason', 'code'],
    }),
    crashes: new Counter({
      name: 'mcp_server_crashes_total',
      help: 'Mistakes on our side.',
      labels: ['method'],
    }),
  }
}

function createStoreFamilies() {
  return {
    stored: new Counter({
      name: 'mcp_server_store_operations_total',
      help: 'What a store that nodes share was asked, by how it came out: ok or error.',
      labels: ['operation', 'outcome'],
    }),
    storing: new Histogram(
      {
        name: 'mcp_server_store_operation_duration_seconds',
        help: 'How long a store that nodes share took for what it was asked.',
        labels: ['operation'],
      },
      STORE_BUCKETS,
    ),
  }
}

function createStateFamilies(underWay: { readonly requests: number; readonly sessions: number }) {
  return {
    requestsUnderWay: new Gauge(
      { name: 'mcp_server_requests_in_flight', help: 'Requests under way.' },
      () => underWay.requests,
    ),
    sessionsOpen: new Gauge(
      { name: 'mcp_server_sessions', help: 'Sessions that are open.' },
      () => underWay.sessions,
    ),
    sessions: new Histogram(
      { name: 'mcp_server_session_duration_seconds', help: 'How long sessions lasted.' },
      DURATION_BUCKETS,
    ),
  }
}

function count(record: TelemetryRecord, counts: Counts): void {
  const { underWay, families } = counts
  switch (record.kind) {
    case 'received':
      underWay.requests++
      return
    case 'invoked':
      return families.toolCalls.add(toolOf(record, counts), outcomeOf(record))
    case 'completed':
      underWay.requests--
      if (record.refused === true || record.denied === 'here')
        families.refusals.add('refused', outcomeOf(record))
      return countCompleted(record, counts)
    case 'unreadable':
      return families.refusals.add('unreadable', String(record.code))
    case 'turned-away':
      return families.refusals.add('http', String(record.status))
    case 'crashed':
      return families.crashes.add(boundedMethod(record.method))
    case 'noted':
      return
    case 'stored':
      families.stored.add(record.operation, record.outcome)
      return families.storing.observe(record.durationMs / 1000, record.operation)
    case 'opened':
      underWay.sessions++
      return
    case 'closed':
      underWay.sessions--
      return families.sessions.observe(record.durationMs / 1000)
  }
}

function countCompleted(record: CompletedRecord, counts: Counts): void {
  const { families } = counts
  const { method } = bounded(record)
  const outcome = outcomeOf(record)
  families.requests.add(method, outcome)
  families.durations.observe(record.durationMs / 1000, method, toolOf(record, counts), outcome)
}

/** The label of a tool, empty where there is none. */
function toolOf(
  { tool, unknown }: Pick<Subject, 'tool'> & Partial<Pick<Subject, 'unknown'>>,
  { tools }: Counts,
): string {
  if (tool === undefined) return ''
  if (unknown !== undefined) return OTHER
  if (tools.size < MAX_TOOLS) tools.add(tool)
  return tools.has(tool) ? tool : OTHER
}

function outcomeOf(ending: CallEnding): string {
  return ending.outcome === 'error' ? String(ending.code) : ending.outcome
}
