import { readCpuSeconds } from './process-stats.ts'
import { quantile } from './statistics.ts'

/** Calls that go on until they are stopped. */
export interface Load {
  readonly answered: number
  readonly failed: number
  /** How long calls took, in microseconds, where they are made one at a time. */
  readonly latencies: number[]
  /** Sends nothing more, and resolves when everything sent has been answered. */
  stop(): Promise<void>
}

export interface Slice {
  /** Calls a second. */
  readonly rate: number
  /** CPU seconds of the server for 100,000 calls. */
  readonly cpu: number | undefined
  /** How much of one core the generator used: near 1 it was the generator that was measured. */
  readonly generator: number
  readonly p50: number
  readonly p99: number
  readonly failed: number
}

export interface MeasureOptions {
  readonly pid: number | undefined
  readonly seconds: number
  /** A slow server is given more time, up to ten times as much, until it has answered so many. */
  readonly atLeast?: number
}

const RAMP_MS = 60

/** Measures a slice of a load that is running, without its first moments, and stops it. */
export async function measure(load: Load, options: MeasureOptions): Promise<Slice> {
  const { pid, seconds, atLeast = 3 } = options
  await pause(RAMP_MS)
  load.latencies.length = 0
  const before = look(load, pid)
  for (let slices = 0; slices < 10; slices++) {
    await pause(seconds * 1000)
    if (load.answered - before.answered >= atLeast) break
  }
  const after = look(load, pid)
  await stopInTime(load)
  return compare(before, after, load)
}

export interface WarmUpOptions {
  readonly calls: number
  readonly seconds: number
}

/** Lets a load run until the server has had so many calls, or for so long, and stops it. */
export async function warmUp(load: Load, { calls, seconds }: WarmUpOptions): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (load.answered < calls && performance.now() < end) await pause(10)
  await stopInTime(load)
}

const STOP_MS = 20_000

/** A server that leaves calls unanswered is not waited for. */
async function stopInTime(load: Load): Promise<void> {
  let late: NodeJS.Timeout | undefined
  const waited = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`calls left unanswered for ${STOP_MS / 1000} s`)), STOP_MS)
  })
  try {
    await Promise.race([load.stop(), waited])
  } finally {
    clearTimeout(late)
  }
}

interface LoadSample {
  readonly at: number
  readonly answered: number
  readonly cpu: number | undefined
  readonly generator: NodeJS.CpuUsage
}

function look({ answered }: Load, pid: number | undefined): LoadSample {
  const cpu = pid === undefined ? undefined : readCpuSeconds(pid)
  return { at: performance.now(), answered, cpu, generator: process.cpuUsage() }
}

function compare(before: LoadSample, after: LoadSample, { latencies, failed }: Load): Slice {
  const seconds = (after.at - before.at) / 1000
  const calls = after.answered - before.answered
  const generator =
    after.generator.user + after.generator.system - before.generator.user - before.generator.system
  const cpu = after.cpu === undefined || before.cpu === undefined ? undefined : after.cpu - before.cpu
  return {
    rate: calls / seconds,
    cpu: cpu === undefined ? undefined : (cpu / calls) * 100_000,
    generator: generator / 1e6 / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failed,
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
