import type { Histogram, Meter, MeterProvider } from '@opentelemetry/api'
import {
  DURATION_BUCKETS,
  OPERATION_DURATION,
  SESSION_DURATION,
  STORE_BUCKETS,
  STORE_DURATION,
} from './conventions.ts'

export type Api = typeof import('@opentelemetry/api')

/** What our spans and metrics are said to come from. */
export const SCOPE = 'perigee'

/** The instruments of whichever SDK is set up: unlike a tracer, a meter does not wait for one. */
export class Metrics {
  readonly #api: Api
  readonly #version: string | undefined
  #provider: MeterProvider | undefined
  #instruments: Instruments | undefined

  constructor(api: Api, version: string | undefined) {
    this.#api = api
    this.#version = version
  }

  get operations(): Histogram {
    return this.#current().operations
  }

  get sessions(): Histogram {
    return this.#current().sessions
  }

  get storing(): Histogram {
    return this.#current().storing
  }

  get unreadable(): Instruments['unreadable'] {
    return this.#current().unreadable
  }

  #current(): Instruments {
    const provider = this.#api.metrics.getMeterProvider()
    if (this.#instruments === undefined || this.#provider !== provider) {
      this.#provider = provider
      this.#instruments = createInstruments(provider.getMeter(SCOPE, this.#version))
    }
    return this.#instruments
  }
}

type Instruments = ReturnType<typeof createInstruments>

function createInstruments(meter: Meter) {
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: DURATION_BUCKETS } }
  return {
    operations: meter.createHistogram(OPERATION_DURATION, {
      description: 'How long requests took, from when they were received until they were answered.',
      ...seconds,
    }),
    sessions: meter.createHistogram(SESSION_DURATION, {
      description: 'How long sessions lasted.',
      ...seconds,
    }),
    storing: meter.createHistogram(STORE_DURATION, {
      description: 'How long the store took for what it was asked.',
      unit: 's',
      advice: { explicitBucketBoundaries: STORE_BUCKETS },
    }),
    unreadable: meter.createCounter('perigee.server.unreadable', {
      description: 'What came and was no message.',
      unit: '{message}',
    }),
  }
}
