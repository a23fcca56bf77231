import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chooseAsked, describeAsked, ECHO, LIST, toolsOf } from './choose.ts'
import { HttpClient } from './http-client.ts'
import { measure, warmUp } from './load.ts'
import type { BenchRequest } from './messages.ts'
import type { BenchOptions, Measurement, Metric } from './metrics.ts'
import { ProgressLine } from './progress.ts'
import { findRawFile } from './raw-file.ts'

export interface HttpBenchOptions extends BenchOptions {
  readonly headers: readonly string[]
  /** A server elsewhere is not compared with a loop on this machine. */
  readonly remote: boolean
}

const CONNECTIONS = [1, 16, 64]
const WARM_UP = { calls: 10_000, seconds: 2 }

/** One call at a time on 1, 16 and 64 connections; the server and the bare loop take turns. */
export async function benchHttp(url: URL, options: HttpBenchOptions): Promise<Measurement> {
  const { revision, headers, remote } = options
  const server = await HttpBench.open(new HttpClient({ url, revision, headers }))
  const asked = chooseAsked(await server.listTools(), options)
  const limit = remote ? undefined : await startRaw()
  try {
    const raw =
      limit === undefined ? undefined : await HttpBench.open(new HttpClient({ url: limit.url, revision }))
    const progress = new ProgressLine(CONNECTIONS.length * (raw === undefined ? 1 : 2))
    for (const connections of CONNECTIONS) {
      progress.step(`${connections} connections`)
      await server.load(asked, connections, options.seconds)
      if (raw !== undefined) progress.step(`${connections} connections, raw`)
      await raw?.load(ECHO, connections, options.seconds)
    }
    progress.end()
    const { metrics, failed } = server
    return { asked: describeAsked(asked), server: metrics, raw: raw?.metrics, failed }
  } finally {
    limit?.child.kill()
  }
}

class HttpBench {
  failed = 0
  readonly metrics: Metric[] = []
  readonly #client: HttpClient
  readonly #sessions: string[] = []

  /** Every connection has a session of its own, so that no server has to serialise them. */
  static async open(client: HttpClient): Promise<HttpBench> {
    const bench = new HttpBench(client)
    for (let at = 0; at < Math.max(...CONNECTIONS); at++) {
      const connection = client.connect()
      bench.#sessions.push(await client.openSession(connection))
      connection.close()
      if (bench.#sessions[0] === '') break
    }
    return bench
  }

  private constructor(client: HttpClient) {
    this.#client = client
  }

  async listTools(): Promise<readonly unknown[]> {
    const connection = this.#client.connect()
    const result = await this.#client.ask(connection, LIST, this.#sessions[0])
    connection.close()
    return toolsOf(result)
  }

  async load(asked: BenchRequest, connections: number, seconds: number): Promise<void> {
    const flood = () => this.#client.flood(asked, connections, this.#sessions)
    if (this.metrics.length === 0) await warmUp(flood(), WARM_UP)
    const { rate, generator, p50, p99, failed } = await measure(flood(), { pid: undefined, seconds })
    this.failed += failed
    const title = connections === 1 ? '1 connection' : `${connections} connections`
    this.metrics.push({ title, unit: 'req/s', value: rate, generator })
    if (connections > 1) return
    this.metrics.push({ title: 'latency p50', unit: 'µs', value: p50 })
    this.metrics.push({ title: 'latency p99', unit: 'µs', value: p99 })
  }
}

/** The bare loop says on which port it listens. */
async function startRaw(): Promise<{ readonly child: ChildProcess; readonly url: URL }> {
  const child = spawn(process.execPath, [findRawFile('http')], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, url: new URL(`http://127.0.0.1:${Number(port.toString())}/mcp`) }
}
