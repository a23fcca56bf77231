import { expect, it } from 'vitest'
import { strictest } from './relayed-list.ts'

it('things that are kept together are so for the shortest time, and for nobody else where one is not', () => {
  expect(strictest([{ ttlMs: 5000 }, { ttlMs: 100, cacheScope: 'public' }, {}])).toEqual({
    ttlMs: 100,
    cacheScope: 'public',
  })
  expect(strictest([{ cacheScope: 'private' }, { cacheScope: 'public' }])).toEqual({ cacheScope: 'private' })
})

it('nothing is said of what nobody has said anything of', () => {
  expect([strictest([]), strictest([{}]), strictest([{ ttlMs: 0 }])]).toEqual([{}, {}, { ttlMs: 0 }])
})
