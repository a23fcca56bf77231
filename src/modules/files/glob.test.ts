import { expect, it } from 'vitest'
import { compileGlob, compileOne } from './glob.ts'

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
  expect(compileGlob(pattern)(path)).toBe(expected)
})

it('begins at the folder where it is told to', () => {
  expect(compileOne('*.log')('deep/a.log')).toBe(false)
  expect(compileOne('/build/')('build')).toBe(true)
})

it('says how many patterns braces may become', () => {
  expect(() => compileGlob('{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}')).toThrow('expected at most 64 patterns')
})
