import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort, Overrun } from '../../src/schema/json/effort.ts'
import { compile } from '../../src/schema/json/index.ts'
import { compileMatcher } from '../../src/schema/json/pattern/matcher.ts'
import { parsePattern } from '../../src/schema/json/pattern/parse.ts'

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\W',
  '\\s',
  '[\\w-]',
  '\\u0061',
  '\\x62',
  '\\u{1f600}',
  '😀',
  '\\.',
  '\\p{L}',
  '[a-c😀]',
  '\\ud83d\\ude00',
  '\\]',
  '[\\]a]',
)
const quantifier = fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?', '??', '{1,3}?')

/** Expressions of every construction that there is; a back reference only leads to captures that are there. */
const expression = fc.letrec((tie) => ({
  term: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.constantFrom('^', '$', '\\b', '\\B'),
    fc.tuple(atom, quantifier).map(([one, many]) => one + many),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('branches'), quantifier)
      .map(([open, inside, many]) => `${open}${inside})${many}`),
    fc.tuple(fc.constantFrom('(', '(?:'), tie('branches')).map(([open, inside]) => `${open}${inside})`),
    fc
      .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('branches'))
      .map(([open, inside]) => `${open}${inside})`),
    fc.constantFrom('\\1', '\\k<n>', '\\2'),
  ),
  branches: fc
    .array(fc.array(tie('term'), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((branches) => branches.map((terms) => terms.join('')).join('|')),
})).branches as fc.Arbitrary<string>

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '-', '.', '😀', '\n', '\ud83d'),
  maxLength: 8,
})

function native(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}

/** V8 finds empty matches between the halves of a character, where the language has no position. */
function isInsideCharacter(text: string, at = 0): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff
}

/** V8 reads a reference to a group and a character of two halves behind it as something that nothing matches. */
const MISREAD = /\\[1-9k][^\\]*?[\u{10000}-\u{10ffff}]/u

/** Some expressions try so many ways that they are given up, which is not to say that a text does not fit. */
function within(steps: number, match: () => boolean): boolean | 'given up' {
  Object.assign(effort, { allowed: steps, left: steps, depth: 0 })
  try {
    return match()
  } catch (error) {
    if (error instanceof Overrun) return 'given up'
    throw error
  }
}

it('matches as the language itself does', () => {
  fc.assert(
    fc.property(expression, fc.array(text, { maxLength: 6 }), (source, texts) => {
      const expected = native(source)
      if (expected === undefined || MISREAD.test(source)) return
      const matches = compileMatcher(parsePattern(source))
      for (const one of texts) {
        if (isInsideCharacter(one, expected.exec(one)?.index)) continue
        const fits = within(1_000_000, () => matches(one))
        if (fits !== 'given up')
          expect({ source, one, fits }).toEqual({ source, one, fits: expected.test(one) })
      }
    }),
    { numRuns: 1000 },
  )
})

const OPTIONS = { known: new Map(), formats: 'noted', maxParts: 100, maxSteps: 1_000_000 } as const

it.each([
  ['^(a+)+$', 'a'],
  ['^(a|ab?)*$', 'a'],
  ['^(a?){40}a{40}$', 'a'],
  ['(x+x+)+y', 'x'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  ['.*.*.*=.*', 'a'],
])('gives up on %s before it holds anything up', (pattern, letter) => {
  const { check } = compile({ pattern }, OPTIONS)
  const problems = [
    { path: '', message: 'expected a value that takes less work to check (--max-check-steps)' },
  ]
  expect(check(`${letter.repeat(5_000)}!`)).toEqual(problems)
})

it.each([
  ['^(a|a)*$', 30],
  ['^(?:a|[a-c])+$', 30],
  ['^(?:a|a){30}b?$', 31],
  ['a{5000}b', 20_000],
])('holds %s against a text without trying every way', (pattern, length) => {
  const { check } = compile({ pattern }, OPTIONS)
  expect(check(`${'a'.repeat(length)}!`)).toHaveLength(1)
})

it.each([
  ['^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$', `${'QUJD'.repeat(10_000)}QQ==`],
  ['^(\\w|-)+$', 'a-b_'.repeat(10_000)],
  ['^[^@]+@[^@]+\\.[^@]+$', `${'a'.repeat(20_000)}@example.org`],
  ['\\S', ' '.repeat(20_000)],
])('matches %s on a long text', (pattern, text) => {
  const { check } = compile({ pattern }, OPTIONS)
  expect(check(text) === undefined).toBe(new RegExp(pattern, 'u').test(text))
})

it.each([
  ['\\_\\-\\@\\:', '_-@:', true],
  ['^[\\w\\-\\.]+$', 'a-b.c', true],
  ['^[\\w\\-\\.]+$', 'a/b', false],
])('reads %s, which has escapes that it does not need', (pattern, text, fits) => {
  expect(compile({ pattern }, OPTIONS).check(text) === undefined).toBe(fits)
})

it.each(['^(?i:a+)+$', '(?-i:a)*b', '(?<n>a)|(?<n>b)'])(
  'refuses %s when it is defined, which not every engine reads',
  (pattern) => {
    expect(() => compile({ pattern }, OPTIONS)).toThrow('at /pattern: expected a regular expression')
  },
)

it.each(['\\(?i', '[(?i]', '(?<n>a)(?<m>b)\\k<n>', '(?<=a)b(?!c)(?:d)(?=e)'])(
  'is not put off by %s, which looks similar',
  (pattern) => {
    expect(() => compile({ pattern }, OPTIONS)).not.toThrow()
  },
)
