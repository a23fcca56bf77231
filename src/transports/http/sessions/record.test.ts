import { expect, it } from 'vitest'
import type { Agreement, Json } from '../../../kernel/index.ts'
import { Introductions, merge, printRecord, readRecord, recordOf } from './record.ts'

const introduction: Agreement['introduction'] = {
  revision: '2025-06-18',
  capabilities: {},
  info: { name: 'ann', version: '1' },
}
const agreed = (more: Partial<Agreement> = {}): Agreement => ({
  introduction,
  operating: true,
  logLevel: undefined,
  subscriptions: [],
  ...more,
})

it('is read as it was printed', () => {
  const record = recordOf({ id: 'ann', scopes: ['files'] }, agreed())
  expect(record.principal).toEqual({ id: 'ann' })
  expect(readRecord(printRecord(record))).toEqual(record)
  expect(recordOf({ id: 'x', anonymous: true }, agreed()).principal).toEqual({
    id: 'anonymous',
    anonymous: true,
  })
})

it.each([
  undefined,
  null,
  'text',
  { v: 1 },
  { v: 2, principal: { id: 'ann' }, agreement: agreed() },
  { v: 1, principal: {}, agreement: agreed() },
  { v: 1, principal: 'ann', agreement: agreed() },
  { v: 1, principal: { id: 'ann' }, agreement: {} },
  ...[
    { introduction: {} },
    { introduction: { revision: 7, capabilities: {} } },
    { introduction: { revision: '2025-06-18', capabilities: null } },
    { operating: 'yes' },
    { logLevel: 'loud' },
    { subscriptions: 'a:b' },
    { subscriptions: ['a:b', 7] },
  ].map((wrong) => ({ v: 1, principal: { id: 'ann' }, agreement: { ...agreed(), ...wrong } })),
])('is none where it is of another version or of nobody: %j', (value) => {
  expect(readRecord(value as unknown as Json)).toBe(undefined)
})

it('has what either of two nodes has changed', () => {
  const base = agreed({ operating: false, logLevel: 'info', subscriptions: ['a', 'b', 'c'] })
  const ours = agreed({ operating: false, logLevel: 'info', subscriptions: ['a', 'b', 'ours'] })
  const theirs = agreed({ operating: true, logLevel: 'error', subscriptions: ['b', 'c', 'theirs'] })
  expect(merge(base, ours, theirs)).toEqual(
    agreed({ operating: true, logLevel: 'error', subscriptions: ['b', 'theirs', 'ours'] }),
  )
  expect(merge(base, { ...ours, logLevel: 'debug' }, theirs).logLevel).toBe('debug')
  expect(merge(base, { ...ours, operating: true }, { ...theirs, operating: false }).operating).toBe(true)
  expect(merge(base, base, { ...base, operating: false }).operating).toBe(false)
})

it('keeps once what clients of one kind say of themselves, of two hundred kinds', () => {
  const introductions = new Introductions()
  const said = (name: string) => agreed({ introduction: { ...introduction, info: { name, version: '1' } } })
  const first = introductions.share(said('kind 1'))
  const again = said('kind 1')
  expect(introductions.share(again)).toEqual(again)
  expect(introductions.share(again).introduction).toBe(first.introduction)
  for (let kind = 2; kind <= 201; kind++) introductions.share(said(`kind ${kind}`))
  const [last, beyond] = [said('kind 200'), said('kind 201')]
  expect(introductions.share(last).introduction).not.toBe(last.introduction)
  expect(introductions.share(beyond)).toBe(beyond)
})
