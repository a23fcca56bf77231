/** The value that a share of all does not pass, by nearest rank; undefined of none. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

export interface Bucket {
  readonly from: number
  readonly calls: number
  readonly errors: number
  readonly p50: number | undefined
  readonly p99: number | undefined
}

export interface Sample {
  readonly time: number
  readonly ms: number
  readonly failed: boolean
}

export const [BUCKET_MS, BUCKETS] = [5000, 60]

/** How many latencies of one bucket are kept; past that they are counted only. */
const MOST_KEPT = 500

interface Filling {
  calls: number
  errors: number
  readonly latencies: number[]
}

/** What happened over the last minutes, in slices; older ones are forgotten. */
export class Recent {
  readonly #slices = new Map<number, Filling>()

  add({ time, ms, failed }: Sample): void {
    const at = Math.floor(time / BUCKET_MS)
    const slice = this.#slices.get(at) ?? { calls: 0, errors: 0, latencies: [] }
    this.#slices.set(at, slice)
    slice.calls++
    if (failed) slice.errors++
    if (slice.latencies.length < MOST_KEPT) slice.latencies.push(ms)
    if (this.#slices.size > BUCKETS * 2) this.#forget(at)
  }

  /** The slices up to now, the oldest first, with the empty ones. */
  read(now: number): readonly Bucket[] {
    const last = Math.floor(now / BUCKET_MS)
    return Array.from({ length: BUCKETS }, (_, index) => {
      const at = last - BUCKETS + 1 + index
      const slice = this.#slices.get(at)
      const latencies = slice?.latencies ?? []
      return {
        from: at * BUCKET_MS,
        calls: slice?.calls ?? 0,
        errors: slice?.errors ?? 0,
        p50: percentile(latencies, 0.5),
        p99: percentile(latencies, 0.99),
      }
    })
  }

  /** Over all that is shown. */
  total(now: number): { calls: number; errors: number; p50: number | undefined; p99: number | undefined } {
    const oldest = Math.floor(now / BUCKET_MS) - BUCKETS
    const shown = [...this.#slices].filter(([at]) => at > oldest).map(([, slice]) => slice)
    const latencies = shown.flatMap((slice) => slice.latencies)
    return {
      calls: shown.reduce((sum, slice) => sum + slice.calls, 0),
      errors: shown.reduce((sum, slice) => sum + slice.errors, 0),
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
    }
  }

  clear(): void {
    this.#slices.clear()
  }

  #forget(now: number): void {
    for (const at of this.#slices.keys()) if (at <= now - BUCKETS) this.#slices.delete(at)
  }
}
