import { expect, it } from 'vitest'
import { inexact } from './exact.ts'

it.each(['9007199254740993', '{"a":[1, 9007199254740993]}', '-12345678901234567890', '{"a":1e400}'])(
  'complains of what would become another number: %s',
  (text) => expect(inexact(text)).toMatch(/^(?:-?\d+|1e400) would become (?:-?\d+|Infinity) here: /),
)

it.each([
  ...['0', '-0', '1.5', '1e21', '9007199254740992', '1152921504606846976', ''],
  ...['"9007199254740993"', '{"9007199254740993":"\\"9007199254740993"}', '[0.1, -7]'],
])('has nothing against %s', (text) => expect(inexact(text)).toBe(undefined))
