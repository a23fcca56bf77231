import { writeSync } from 'node:fs'
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

/** What an operator loads before a server (`node --import`): an SDK, here one that writes the names of spans to stderr. */
const exporter = {
  export(spans, done) {
    for (const { name } of spans) writeSync(2, `span: ${name}\n`)
    done({ code: 0 })
  },
  shutdown: async () => {},
}

trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
)
