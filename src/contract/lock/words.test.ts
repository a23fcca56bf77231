import { expect, it } from 'vitest'
import { tell } from './words.ts'

const differ = (keyword: string, narrow: unknown, wide: unknown) =>
  ({ place: 'to', keyword, narrow, wide, isCertain: true }) as const

it.each([
  ['input', differ('type', 'integer', 'string'), 'narrow', 'input.to no longer takes an integer'],
  ['input', differ('type', 'null', 'string'), 'wide', 'input.to takes null, too'],
  ['input', differ('enum', ['a'], ['b']), 'narrow', 'input.to no longer takes "a"'],
  ['input', differ('enum', undefined, ['b']), 'narrow', 'input.to takes nothing but "b" now'],
  ['output', differ('required', undefined, undefined), 'wide', 'output.to may be missing now'],
  ['output', differ('enum', ['a', 'b'], undefined), 'narrow', 'output.to is never "a", "b" any more'],
  ['input', differ('maximum', 9, 5), 'narrow', 'input.to: maximum 9 became 5'],
  ['input', differ('maximum', undefined, 5), 'narrow', 'input.to has maximum 5 now'],
  ['input', differ('maximum', undefined, 5), 'wide', 'input.to has no maximum any more, which was 5'],
] as const)('of an %s, %j by the %s side', (place, difference, older, words) => {
  expect(tell(place, difference, older)).toBe(words)
})

it('says what nobody knows, and of the whole where there is no place', () => {
  const unsure = { ...differ('not', 1, 2), place: '', isCertain: false }
  expect(tell('output', unsure, 'wide')).toBe('output: nobody can say whether it gives what it gave (not)')
})

it('repeats no long value', () => {
  expect(tell('input', differ('pattern', 'x'.repeat(99), 'y'), 'narrow')).toContain(`${'x'.repeat(80)}…`)
})
