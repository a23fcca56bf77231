import { expect, it } from 'vitest'
import { parseChallenge } from './parse-challenge.ts'

it.each([
  ['Bearer', {}],
  ['bearer realm="a", error=insufficient_scope', { realm: 'a', error: 'insufficient_scope' }],
  ['Bearer Scope = "a \\"b\\" c" , x=1', { scope: 'a "b" c', x: '1' }],
  ['Bearer error="x" scope="y"', { error: 'x', scope: 'y' }],
  ['Bearer scope=read write, error="x"', { scope: 'read', error: 'x' }],
  ['Bearer scope="read", DPoP algs="ES256", scope="dpop"', { scope: 'read' }],
  ['Basic realm="Bearer scope=a", Bearer scope="b"', { scope: 'b' }],
  ['Negotiate YWJj==, Bearer scope="b"', { scope: 'b' }],
  ['Bearer scope="a", Bearer error="b"', { scope: 'a', error: 'b' }],
  ['Bearer scope="never ends', {}],
  ['Basic realm="a"', {}],
  ['', {}],
])('of %s', (header, parameters) => {
  expect(parseChallenge(header)).toEqual(parameters)
})

it('reads no more than a server has to say', () => {
  expect(parseChallenge(`Bearer a="1", ${' '.repeat(5000)}b="2"`)).toEqual({ a: '1' })
})
