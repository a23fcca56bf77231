import { expect, it } from 'vitest'
import { flagNamedIn, namedFlag } from './named-flag.ts'

it.each([
  ['a line may have 9 bytes, this one has more (--max-line)', '--max-line'],
  ['"(--hunter)": at most 3 bytes, got 9 (--max-search): ask for less', '--max-search'],
  ['Timed out: the tool t took longer than 1 ms (--timeout)', '--timeout'],
  ['a caller may make 1 call a minute (rateLimit)', undefined],
  ['wants a key (--hunter)', undefined],
  ['--max-line', undefined],
])('of %j the log has %s', (text, flag) => {
  expect([namedFlag(text), flagNamedIn({ content: [{ type: 'text', text }] })]).toEqual([flag, flag])
})

it('a result without a text names none', () => {
  const results = [{}, { content: [] }, { content: [{ type: 'image' }] }, { content: 'x (--max-line)' }]
  expect(results.map(flagNamedIn)).toEqual([undefined, undefined, undefined, undefined])
})
