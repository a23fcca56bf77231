import { expect, it } from 'vitest'
import { createFloodLimit } from './flood-limit.ts'

const away = (time: number, status = 401) =>
  ({ kind: 'turned-away', time, status, message: 'no', verb: 'GET', path: '/', from: undefined }) as const
const unreadable = (time: number) => ({ kind: 'unreadable', time, code: -32700, message: 'no' }) as const

it('says ten of a kind a minute, and then how many more there were', () => {
  const limit = createFloodLimit()
  const said = Array.from({ length: 13 }, (_, index) => limit(away(1000 + index)))
  expect(said.filter((one) => one !== undefined)).toHaveLength(10)
  expect(said[0]).not.toHaveProperty('unsaid')
  expect(limit(away(1001, 403))).toBeDefined()
  expect(limit(unreadable(1002))).toEqual(unreadable(1002))
  expect(limit(away(60_999))).toBe(undefined)
  expect(limit(away(61_000))).toEqual({ ...away(61_000), unsaid: 4 })
  expect(
    Array.from({ length: 10 }, () => limit(away(61_001))).filter((one) => one !== undefined),
  ).toHaveLength(9)
})

it('says nothing of none', () => {
  const limit = createFloodLimit()
  limit(unreadable(0))
  expect(limit(unreadable(60_000))).toEqual(unreadable(60_000))
})
