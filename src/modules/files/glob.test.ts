import { expect, it, vi } from 'vitest'
import { Effort } from './effort.ts'
import { compileGlob, compileOne, namesOf, type PathMatcher } from './glob.ts'

function fits(matches: PathMatcher, path: string): boolean {
  return matches(namesOf(path), new Effort())
}

it.each([
  ['*.ts', 'src/deep/a.ts', true],
  ['*.ts', 'a.tsx', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/deep/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/very/deep/a.ts', true],
  ['**/test/**', 'a/test/b', true],
  ['**/test/**', 'a/tests/b', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['\\*x', '*x', true],
  ['\\*x', 'ax', false],
  ['*.{ts,mjs}', 'a.mjs', true],
  ['{a,b{c,d}}', 'bd', true],
  ['{a}', '{a}', true],
  ['👩*', '👩‍🚀', true],
])('%s and %s: %s', (pattern, path, expected) => {
  expect(fits(compileGlob(pattern), path)).toBe(expected)
})

it('begins at the folder where it is told to', () => {
  expect(fits(compileOne('*.log'), 'deep/a.log')).toBe(false)
  expect(fits(compileOne('/build/'), 'build')).toBe(true)
})

it('says how many patterns braces may become', () => {
  expect(() => compileGlob('{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}')).toThrow('expected at most 64 patterns')
})

/** The same, by what JavaScript has for it. */
function asExpression(pattern: string): RegExp {
  const letters = pattern.replace(/[*?.]/g, (sign) => ({ '*': '.*', '?': '.', '.': '\\.' })[sign] ?? sign)
  return new RegExp(`^${letters}$`)
}

it('knows the same names as an expression does', () => {
  const words = ['', '*', 'a', 'b', 'ab', '?', '[ab]', '[^a]', '.', '**']
  const names = ['a', 'b', 'ab', 'ba', 'a.b', 'aab', 'abab', 'b.a.b', 'abba.']
  for (const first of words)
    for (const second of words)
      for (const third of words) {
        const pattern = `a${first}${second}${third}`
        const expected = names.filter((name) => asExpression(pattern).test(name))
        expect([pattern, names.filter((name) => fits(compileOne(pattern), name))]).toEqual([
          pattern,
          expected,
        ])
      }
})

it('is decided by an ending before anything else, and by what has no room at all', () => {
  const effort = new Effort()
  const name = namesOf('a'.repeat(250))
  for (let count = 0; count < 1000; count++) {
    compileOne(`${'*a'.repeat(60)}b`)(name, effort)
    compileOne('?a'.repeat(250))(name, effort)
  }
  expect(effort.isLong).toBe(false)
})

it('looks at one path so many times at most that others have a turn soon, or says what would help', () => {
  const path = Array(15).fill('a'.repeat(250)).join('/')
  const part = `*${'a'.repeat(118)}?/`
  const most = 1000 * path.length
  const count = (pattern: string) => {
    const effort = new Effort()
    const counted = vi.spyOn(effort, 'count')
    compileGlob(pattern)(namesOf(path), effort)
    return counted.mock.calls.reduce((sum, [steps]) => sum + steps, 0)
  }
  expect(count(`**/${part.repeat(8)}b`)).toBeLessThan(most)
  expect(count(`*${'{,a}'.repeat(5)}${'a'.repeat(12)}${'?'.repeat(10)}b`)).toBeLessThan(most)
  expect(() => count(`**/${part.repeat(6)}${'{,}'.repeat(6)}*b`)).toThrow(
    'name: expected at most 1000 characters in all the patterns that its braces stand for, got ',
  )
})
