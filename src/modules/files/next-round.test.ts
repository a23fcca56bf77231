import { expect, it } from 'vitest'
import { nextRound } from './next-round.ts'

it('has all come before one comes again, also when some have come or gone meanwhile', () => {
  const all = new Map(['a', 'b', 'c', 'd', 'e'].map((name) => [name, name.toUpperCase()]))
  expect([nextRound(all, 2), nextRound(all, 2)]).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  all.delete('e')
  all.set('f', 'F')
  expect([nextRound(all, 2), nextRound(all, 2)]).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(nextRound(all, 9)).toEqual(['f', 'a', 'b', 'c', 'd'])
  expect(all.get('f')).toBe('F')
})

it('has nobody come where there is nobody', () => {
  expect(nextRound(new Map(), 3)).toEqual([])
})
