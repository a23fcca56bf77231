import { context, metrics, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'

/** A real SDK that keeps in memory what it is given. */
export interface Sdk {
  readonly spans: () => ReadableSpan[]
  readonly metric: (name: string) => Promise<MetricData | undefined>
  stop(): Promise<void>
}

export function startSdk(): Sdk {
  const spans = new InMemorySpanExporter()
  const tracing = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const metering = new MeterProvider({ readers: [reader] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  )
  trace.setGlobalTracerProvider(tracing)
  metrics.setGlobalMeterProvider(metering)
  return {
    spans: () => spans.getFinishedSpans(),
    async metric(name) {
      await metering.forceFlush()
      const found = exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics)
      return found?.find(({ descriptor }) => descriptor.name === name)
    },
    async stop() {
      await tracing.shutdown()
      await metering.shutdown()
      for (const api of [context, metrics, propagation, trace]) api.disable()
    },
  }
}
