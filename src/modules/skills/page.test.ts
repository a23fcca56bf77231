import { expect, it } from 'vitest'
import { pageOf } from './page.ts'

const named = (...names: string[]) => names.map((name) => ({ uri: `skill://${name}` }))
const list = 'skills'

it('gives everything once, in the order of the URIs', () => {
  const all = named('d', 'a', 'c', 'e', 'b')
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { items, next } = pageOf(all, { list, cursor, size: 2 })
    seen.push(...items.map(({ uri }) => uri))
    cursor = next.nextCursor
  } while (cursor !== undefined)
  expect(seen).toEqual(named('a', 'b', 'c', 'd', 'e').map(({ uri }) => uri))
})

it('has no next page after the last entry', () => {
  expect(pageOf(named('a', 'b'), { list, cursor: undefined, size: 2 }).next).toEqual({})
  expect(pageOf([], { list, cursor: undefined, size: 2 })).toEqual({ items: [], next: {} })
})

it('goes on behind an entry that has gone, and shows what has come', () => {
  const { next } = pageOf(named('a', 'b', 'd'), { list, cursor: undefined, size: 2 })
  const { items } = pageOf(named('a', 'c', 'd'), { list, cursor: next.nextCursor, size: 2 })
  expect(items).toEqual(named('c', 'd'))
})

it.each(['', 'x', '%%%', btoa('other skill://a'), btoa('skills')])('refuses the cursor %j', (cursor) => {
  expect(() => pageOf(named('a'), { list, cursor, size: 1 })).toThrow(
    'Invalid params: cursor: expected a nextCursor of this list',
  )
})
