import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sizeOf } from './check.ts'

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    fc.jsonValue(),
    fc.nat(3000).map((length) => 'x'.repeat(length)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
  ),
})).value

it('knows how long the JSON of a value is', () => {
  fc.assert(fc.property(value, (one) => sizeOf(one) === JSON.stringify(one).length))
  expect(sizeOf(undefined)).toBe(0)
})

it('takes a long text for as long as it is, however it is written', () => {
  expect(sizeOf(['\0'.repeat(1000)])).toBe(1004)
})
