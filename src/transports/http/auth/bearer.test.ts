import { expect, it } from 'vitest'
import { readBearer } from './bearer.ts'

it.each([
  [undefined, 'missing'],
  ['', 'missing'],
  ['Basic dTpw', 'missing'],
  ['BearerX abc', 'missing'],
  ['Bearer', 'malformed'],
  ['Bearer ', 'malformed'],
  ['Bearer a b', 'malformed'],
  ['Bearer a, Bearer b', 'malformed'],
  ['Bearer ü', 'malformed'],
  ['Bearer abc', 'token'],
  ['bearer  abc', 'token'],
])('%j is %s', (authorization, kind) => {
  expect(readBearer(authorization).kind).toBe(kind)
})
