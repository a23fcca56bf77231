import { expect, it } from 'vitest'
import { toPrincipal } from './token-principal.ts'

it.each([
  ['scope is a list in words', { sub: 'u', scope: 'a  b' }, { id: 'i|u', scopes: ['a', 'b'] }],
  ['scp may be a list', { sub: 'u', scp: ['a', 'b'] }, { id: 'i|u', scopes: ['a', 'b'] }],
  ['scp may be words', { sub: 'u', scp: 'a b' }, { id: 'i|u', scopes: ['a', 'b'] }],
  ['no scopes are none, not all', { sub: 'u' }, { id: 'i|u', scopes: [] }],
  ['a client may act for itself', { client_id: 'c' }, { id: 'i|c', scopes: [] }],
  ['a user comes before its client', { sub: 'u', client_id: 'c' }, { id: 'i|u', scopes: [] }],
  ['a token of nobody is no token', { sub: '' }, undefined],
])('%s', (_title, claims, principal) => {
  expect(toPrincipal(claims, 'i')).toEqual(principal)
})
