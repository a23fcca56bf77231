import { chooseAsked, describeAsked, ECHO, LIST, toolsOf } from './choose.ts'
import { measure, warmUp } from './load.ts'
import type { BenchRequest } from './messages.ts'
import type { BenchOptions, Measurement, Metric } from './metrics.ts'
import { readMemory } from './process-stats.ts'
import { ProgressLine } from './progress.ts'
import { findRawFile } from './raw-file.ts'
import { median } from './statistics.ts'
import { StdioClient } from './stdio-client.ts'

const COLD_STARTS = 5
const WARM_UP = { calls: 10_000, seconds: 2 }

/** Cold starts, one call at a time, and 256 at a time; the server and the bare loop take turns. */
export async function benchStdio(command: readonly string[], options: BenchOptions): Promise<Measurement> {
  const progress = new ProgressLine(2 * COLD_STARTS + 4)
  const server = new StdioBench(command, options)
  const raw = new StdioBench([process.execPath, findRawFile('stdio')], options)
  for (let round = 0; round < COLD_STARTS; round++) {
    progress.step('cold start')
    await server.start()
    progress.step('cold start')
    await raw.start()
  }
  const asked = await server.choose()
  await server.load(asked, progress)
  await raw.load(ECHO, progress)
  progress.end()
  const { failed } = server
  return { asked: describeAsked(asked), server: server.metrics, raw: raw.metrics, failed }
}

class StdioBench {
  failed = 0
  readonly #command: readonly string[]
  readonly #options: BenchOptions
  readonly #coldStarts: number[] = []
  readonly #metrics: Metric[] = []

  constructor(command: readonly string[], options: BenchOptions) {
    this.#command = command
    this.#options = options
  }

  get metrics(): readonly Metric[] {
    const cold = { title: 'cold start', unit: 'ms', value: median(this.#coldStarts) }
    return [cold, ...this.#metrics]
  }

  async start(): Promise<void> {
    const began = performance.now()
    await this.#with(async () => {
      this.#coldStarts.push(performance.now() - began)
    })
  }

  choose(): Promise<BenchRequest> {
    return this.#with(async (client) => chooseAsked(toolsOf(await client.ask(LIST)), this.#options))
  }

  load(asked: BenchRequest, progress: ProgressLine): Promise<void> {
    return this.#with(async (client) => {
      const { seconds } = this.#options
      const { pid } = client
      await warmUp(client.flood({ asked, window: 256 }), WARM_UP)
      progress.step('one call at a time')
      const one = await measure(client.flood({ asked, window: 1 }), { pid, seconds })
      progress.step('256 calls at a time')
      const many = await measure(client.flood({ asked, window: 256 }), { pid, seconds })
      this.failed = one.failed + many.failed
      this.#metrics.push(
        { title: 'latency p50', unit: 'µs', value: one.p50 },
        { title: 'latency p99', unit: 'µs', value: one.p99 },
        { title: 'pipelined', unit: 'calls/s', value: many.rate, generator: many.generator },
        { title: 'CPU', unit: 's/100k calls', value: many.cpu },
        { title: 'memory', unit: 'MiB', value: pid === undefined ? undefined : readMemory(pid) },
      )
    })
  }

  /** Starts the server, and ends it whatever happens. */
  async #with<Result>(run: (client: StdioClient) => Promise<Result>): Promise<Result> {
    const client = new StdioClient({ command: this.#command, revision: this.#options.revision })
    try {
      await client.open()
      return await run(client)
    } finally {
      await client.close()
    }
  }
}
