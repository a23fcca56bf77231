import { expect, it } from 'vitest'
import { toPrincipal } from './token-principal.ts'
import { CLOCK_TOLERANCE_SECONDS } from './verify-token.ts'

it.each([
  ['scope is a list in words', { sub: 'u', scope: 'a  b' }, { id: 'i|u', scopes: ['a', 'b'] }],
  ['scp may be a list', { sub: 'u', scp: ['a', 'b'] }, { id: 'i|u', scopes: ['a', 'b'] }],
  ['scp may be words', { sub: 'u', scp: 'a b' }, { id: 'i|u', scopes: ['a', 'b'] }],
  ['no scopes are none, not all', { sub: 'u' }, { id: 'i|u', scopes: [] }],
  ['a client may act for itself', { client_id: 'c' }, { id: 'client:i|c', scopes: [] }],
  ['a user comes before its client', { sub: 'u', client_id: 'c' }, { id: 'i|u', scopes: [] }],
  [
    'it is good for as long as one is taken that has just expired',
    { sub: 'u', exp: 1234 },
    { id: 'i|u', scopes: [], expires: 1_234_000 + 1000 * CLOCK_TOLERANCE_SECONDS },
  ],
  ['a token of nobody is no token', { sub: '' }, undefined],
])('%s', (_title, claims, principal) => {
  expect(toPrincipal(claims, 'i')).toEqual(principal)
})

it('never takes a client for a user, whatever the two are called', () => {
  const issuer = 'https://issuer.example.com'
  const names = ['u', 'client:u', `client:${issuer}|u`, `${issuer}|u`, '|u']
  const users = names.map((sub) => toPrincipal({ sub }, issuer)?.id)
  const clients = names.map((client_id) => toPrincipal({ client_id }, issuer)?.id)
  expect(new Set([...users, ...clients]).size).toBe(2 * names.length)
})

it('adds what is granted to every token', () => {
  expect(toPrincipal({ sub: 'u', scope: 'a' }, 'i', ['b'])?.scopes).toEqual(['a', 'b'])
})
