import { expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'

it.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['<!doctype html>', undefined],
  ['', undefined],
])('%j is %j', (text, value) => {
  expect(parseJson(text)).toEqual(value)
})
