import { expect, it } from 'vitest'
import { Pace, type PaceOptions } from './pace.ts'

function paced(more: Partial<PaceOptions> = {}) {
  let time = 0
  const pace = new Pace({ firstMs: 10, longestMs: 80, now: () => time, ...more })
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  /** Waits as long as it says, several times. */
  const waits = (times: number, restMs = 0) =>
    Array.from({ length: times }, () => {
      pass(restMs)
      const waitMs = pace.next()
      pass(waitMs)
      return waitMs
    })
  return { pace, pass, waits }
}

it('waits twice as long each time that there is reason soon, up to the longest', () => {
  expect(paced().waits(6)).toEqual([10, 20, 40, 80, 80, 80])
})

it('begins anew after as long a rest, or for good reason', () => {
  const { pace, pass, waits } = paced()
  waits(5)
  pass(79)
  expect(waits(1)).toEqual([80])
  pass(80)
  expect(waits(2)).toEqual([10, 20])
  pace.reset()
  expect(waits(2)).toEqual([10, 20])
})

it('counts what was not there for long as soon over', () => {
  const { pace, pass, waits } = paced({ shortMs: 1000 })
  const lived = [999, 999, 1000].map((milliseconds) => {
    pace.done()
    pass(milliseconds)
    return waits(1)[0]
  })
  expect(lived).toEqual([10, 20, 10])
})

it('waits for nothing the first time where it is not to', () => {
  expect(paced({ atOnce: true }).waits(4)).toEqual([0, 10, 20, 40])
})

it('waits for as long as it is asked to, and then for longer', () => {
  const { pace } = paced()
  expect([pace.next(30), pace.next(30), pace.next(500)]).toEqual([30, 60, 500])
})

it.each([1, 50, 399, 400, 401, 5000])(
  'has a small part of the time, where there is reason after %d ms',
  (afterMs) => {
    const { pace, pass, waits } = paced()
    let [busyMs, allMs] = [0, 0]
    for (let times = 0; times < 50; times++) {
      pass(100)
      pace.done(100)
      const [waitMs = 0] = waits(1, afterMs)
      busyMs += 100
      allMs += 100 + afterMs + waitMs
    }
    expect(busyMs - 500).toBeLessThanOrEqual(allMs / 20)
  },
)

it('makes nobody wait who has taken little', () => {
  const { pace, waits } = paced()
  pace.done(400)
  expect(waits(1)).toEqual([10])
})
