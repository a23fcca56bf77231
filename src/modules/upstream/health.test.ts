import { expect, it } from 'vitest'
import { ClientError } from '../../client/index.ts'
import { Discretion } from './discretion.ts'
import { Health } from './health.ts'

/** An upstream whose clock is turned by hand; what is due is done on the way. */
function watched(tried: (health: Health) => void) {
  let time = 0
  let timers: { readonly at: number; readonly run: () => void }[] = []
  const tries: number[] = []
  const platform = {
    now: () => time,
    after: (milliseconds: number, run: () => void) => {
      const timer = { at: time + milliseconds, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
  }
  const retry = () => {
    tries.push(time)
    tried(health)
  }
  const health: Health = new Health({
    name: 'u',
    platform,
    retry,
    discretion: new Discretion({ url: 'http://u' }),
  })
  const pass = (seconds: number) => {
    const end = time + seconds * 1000
    for (;;) {
      const [next] = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
      if (next === undefined) break
      timers = timers.filter((one) => one !== next)
      time = next.at
      next.run()
    }
    time = end
  }
  return { health, tries, pass }
}

const fail = (health: Health) => void health.sick(new Error('no'))

it('leaves an upstream alone for longer each time that it fails', () => {
  const { health, tries, pass } = watched(fail)
  fail(health)
  pass(300)
  expect(tries).toEqual([1, 3, 7, 15, 31, 63, 123, 183, 243].map((seconds) => seconds * 1000))
})

it('also where it is well each time, for a moment', () => {
  const { health, tries, pass } = watched((one) => {
    one.well()
    fail(one)
  })
  fail(health)
  pass(300)
  expect(tries).toHaveLength(9)
})

it('begins anew with one that has been well for long', () => {
  const { health, tries, pass } = watched((one) => (tries.length < 9 ? fail(one) : one.well()))
  fail(health)
  pass(400)
  fail(health)
  pass(1)
  expect(tries.at(-1)).toBe(401_000)
})

it.each([
  ['refused', fail],
  ['taken', (health: Health) => health.well()],
])('tries a new token at once, and one after the other less and less often where each is %s', (_, tried) => {
  const { health, tries, pass } = watched(tried)
  fail(health)
  health.hurry()
  expect(tries).toEqual([0])
  for (let tokens = 0; tokens < 6000; tokens++) {
    pass(0.1)
    health.hurry()
  }
  expect(tries.length).toBeGreaterThan(9)
  expect(tries.length).toBeLessThan(30)
})

it('tries a token of a person who signs in again a moment later', () => {
  const { health, tries, pass } = watched(fail)
  fail(health)
  pass(200)
  health.hurry()
  const before = tries.length
  health.hurry()
  pass(1)
  expect(tries).toHaveLength(before + 1)
})

it('does not name what only a program can set', () => {
  const { health } = watched(() => {})
  const brief = 'The server did not answer initialize within 60 s'
  health.sick(new ClientError('timed-out', `${brief} (timeoutMs is 60000)`, { brief }))
  expect([health.report, health.trouble, health.reason]).toEqual([
    `u cannot be reached (${brief}), next try in 1 s`,
    `u cannot be reached (${brief}), next try in 1 s`,
    brief,
  ])
})

it('tries nothing when it is closed', () => {
  const { health, tries, pass } = watched(fail)
  health.hurry()
  health.hurry()
  health.close()
  pass(1000)
  expect(tries).toEqual([0])
})
