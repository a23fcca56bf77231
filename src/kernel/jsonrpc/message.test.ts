import { expect, it } from 'vitest'
import { isFraction, isId, isObject, isResponse } from './message.ts'

const VALUES = ['', 'a', 0, -1, 1.5, 2 ** 53, Number.NaN, Infinity, null, undefined, true, [], {}]

it('knows what can be an id, and which of them are advised against', () => {
  expect(VALUES.filter(isId)).toEqual(['', 'a', 0, -1, 1.5])
  expect(VALUES.filter(isFraction)).toEqual([1.5])
})

it('knows objects from arrays and from null', () => {
  expect(VALUES.filter(isObject)).toEqual([{}])
})

it('knows a response, whatever else is wrong with it', () => {
  const messages = [
    { result: 1 },
    { error: null },
    { method: 5, result: 1 },
    { method: 'a', result: 1 },
    {},
    null,
  ]
  expect(messages.map(isResponse)).toEqual([true, true, true, false, false, false])
})
