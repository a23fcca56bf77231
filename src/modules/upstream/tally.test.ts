import { expect, it } from 'vitest'
import { Tally } from './tally.ts'

function told(text: string): string | undefined {
  const tally = new Tally(() => 0)
  tally.tell(text)
  return tally.read().lastError?.text
}

it.each([
  ['  one\n', 'one'],
  ['one \r\n\n  two\n\tthree', 'one; two; three'],
  ['a  b', 'a  b'],
  ['\n \n', ''],
])('tells of what went wrong in one line: %j', (text, line) => {
  expect(told(text)).toBe(line)
})

it('looks at each of many spaces once', () => {
  expect(told(`x${' '.repeat(4_000_000)}x`)).toBe(`x${' '.repeat(499)}…`)
})
