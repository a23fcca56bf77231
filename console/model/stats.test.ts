import { describe, expect, it } from 'vitest'
import { BUCKET_MS, BUCKETS, percentile, Recent } from './stats.ts'

describe('percentiles', () => {
  it('are by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100])
    expect(percentile([7], 0.5)).toBe(7)
    expect(percentile([], 0.5)).toBeUndefined()
  })

  it('of the last minutes forget what is older, and grow no further', () => {
    const recent = new Recent()
    for (let at = 0; at < 10_000; at++) recent.add({ time: at * BUCKET_MS, ms: at, failed: at % 2 === 0 })
    const now = 9999 * BUCKET_MS
    expect(recent.read(now)).toHaveLength(BUCKETS)
    expect(recent.read(now).at(-1)).toMatchObject({ calls: 1, errors: 0, p50: 9999 })
    expect(recent.total(now)).toMatchObject({ calls: BUCKETS, errors: BUCKETS / 2 })
  })
})
