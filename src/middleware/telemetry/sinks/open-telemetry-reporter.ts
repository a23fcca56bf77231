import type { Context, Span, Tracer } from '@opentelemetry/api'
import {
  type Call,
  type Handler,
  isObject,
  type JsonObject,
  type Request,
  type Result,
} from '../../../kernel/index.ts'
import type { CompletedRecord, InvokedRecord, StoredRecord, TelemetryRecord } from '../records.ts'
import type { RecordSource } from '../sink.ts'
import type { Subject } from '../subject.ts'
import {
  endingAttributes,
  operationAttributes,
  requestAttributes,
  sessionAttributes,
  spanNameOf,
  storeAttributes,
} from './conventions.ts'
import { type Api, Metrics, SCOPE } from './open-telemetry-metrics.ts'

interface OpenSpan {
  readonly span: Span
  readonly context: Context
}

/** Makes spans and metrics of records. */
export class Reporter {
  readonly #api: Api
  readonly #tracer: Tracer
  readonly #metrics: Metrics
  readonly #open = new WeakMap<RecordSource, OpenSpan>()

  constructor(api: Api, version: string | undefined) {
    this.#api = api
    this.#tracer = api.trace.getTracer(SCOPE, version)
    this.#metrics = new Metrics(api, version)
  }

  /** Whatever the call does happens inside its span. */
  goOn(call: Call, next: Handler): Result | Promise<Result> {
    const opened = this.#open.get(call)
    return opened === undefined ? next(call) : this.#api.context.with(opened.context, next, undefined, call)
  }

  take(record: TelemetryRecord, source: RecordSource | undefined): void {
    const opened = source && this.#open.get(source)
    switch (record.kind) {
      case 'received':
        return this.#start(record, source)
      case 'invoked':
        return addContent(record, opened?.span)
      case 'completed':
        return this.#complete(record, source, opened)
      case 'unreadable':
        return this.#metrics.unreadable.add(1, { 'error.type': String(record.code) })
      case 'stored':
        return this.#store(record)
      case 'closed':
        return this.#metrics.sessions.record(
          record.durationMs / 1000,
          sessionAttributes(record.protocol, source?.link.carrier),
        )
    }
  }

  /** The trace that the client says it belongs to comes before the one that carries it, which is linked. */
  #start(subject: Subject, source: RecordSource | undefined): void {
    if (source?.request === undefined) return
    const { context, propagation, SpanKind, trace } = this.#api
    const ambient = context.active()
    const parent = propagation.extract(ambient, metaOf(source.request), META_GETTER)
    const around = trace.getSpanContext(ambient)
    const isParent = trace.getSpanContext(parent)?.spanId === around?.spanId
    const span = this.#tracer.startSpan(
      spanNameOf(subject),
      {
        kind: SpanKind.SERVER,
        attributes: requestAttributes(subject, source.link.carrier),
        links: around === undefined || isParent ? [] : [{ context: around }],
      },
      parent,
    )
    this.#open.set(source, { span, context: trace.setSpan(parent, span) })
  }

  /** It is told when it is done, in the context in which it was begun; what no request asked for has no span. */
  #store(record: StoredRecord): void {
    const { context, SpanKind, SpanStatusCode, trace } = this.#api
    const attributes = storeAttributes(record)
    const around = context.active()
    this.#metrics.storing.record(record.durationMs / 1000, attributes, around)
    if (trace.getSpan(around) === undefined) return
    const options = { kind: SpanKind.CLIENT, attributes, startTime: record.time - record.durationMs }
    const span = this.#tracer.startSpan(`store ${record.operation}`, options, around)
    if (record.outcome === 'error') span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(record.time)
  }

  #complete(record: CompletedRecord, source: RecordSource | undefined, opened: OpenSpan | undefined): void {
    const attributes = operationAttributes(record, source?.link.carrier)
    this.#metrics.operations.record(record.durationMs / 1000, attributes, opened?.context)
    if (opened !== undefined) this.#end(opened.span, record)
  }

  #end(span: Span, record: CompletedRecord): void {
    span.setAttributes(endingAttributes(record, record.protocol))
    const { ERROR } = this.#api.SpanStatusCode
    if (record.outcome === 'error') span.setStatus({ code: ERROR, message: record.message })
    if (record.outcome === 'tool_error') span.setStatus({ code: ERROR })
    // The conventions have no word for it, and it is no error of anybody's.
    if (record.outcome === 'cancelled') span.setAttribute('perigee.cancelled', true)
    span.end()
  }
}

function addContent(record: InvokedRecord, span: Span | undefined): void {
  if (record.arguments !== undefined) span?.setAttribute('gen_ai.tool.call.arguments', record.arguments)
  if (record.outcome === 'ok' && record.result !== undefined) {
    span?.setAttribute('gen_ai.tool.call.result', record.result)
  }
}

function metaOf({ params }: Request): JsonObject {
  const meta = params?.['_meta']
  return isObject(meta) ? meta : NO_META
}

const NO_META: JsonObject = Object.freeze({})

/** Only what is said in so many words counts. */
const META_GETTER = {
  keys: (meta: JsonObject) => Object.keys(meta),
  get(meta: JsonObject, key: string): string | undefined {
    const value = Object.hasOwn(meta, key) ? meta[key] : undefined
    return typeof value === 'string' ? value : undefined
  },
}
