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

const crashed = (time: number, method = 'authenticate') =>
  ({ kind: 'crashed', time, method, error: 'Error', message: 'no issuer', stack: [] }) as const

it.each(['authenticate', 'GET /page', 'POST /mcp'])(
  'says ten a minute of what crashes before it is known who calls: %s',
  (method) => {
    const limit = createFloodLimit()
    const said = Array.from({ length: 300 }, (_, index) => limit(crashed(index, method)))
    expect(said.filter((one) => one !== undefined)).toHaveLength(10)
    expect(limit(crashed(60_000, method))).toEqual({ ...crashed(60_000, method), unsaid: 290 })
  },
)

it('says ten a minute of pages that crash, whatever they are called', () => {
  const limit = createFloodLimit()
  const said = Array.from({ length: 300 }, (_, index) => limit(crashed(0, `GET /page/${index}`)))
  expect(said.filter((one) => one !== undefined)).toHaveLength(10)
})

it.each(['tools/call', 'uncaught exception', 'close (shop)'])(
  'says every crash of a caller who was let in, and of the server itself: %s',
  (method) => {
    const limit = createFloodLimit()
    const said = Array.from({ length: 20 }, (_, index) => limit(crashed(index, method)))
    expect(said).not.toContain(undefined)
  },
)

it('says nothing of none', () => {
  const limit = createFloodLimit()
  limit(unreadable(0))
  expect(limit(unreadable(60_000))).toEqual(unreadable(60_000))
})
