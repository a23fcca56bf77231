import { expect, it } from 'vitest'
import type { Exchange, HttpHeaders } from '../exchange.ts'
import { accepts, checkContentType, checkPostAccept, checkStreamAccept } from './media-types.ts'

const from = (headers: HttpHeaders) => ({ headers }) as Exchange // Nothing else of it is asked for.
const EVENTS = 'text/event-stream'

it.each([
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/json ;x', true],
  ['text/plain', false],
  ['application/jsonp', false],
  ['text/plain; application/json', false],
])('a body of %s is taken: %s', (type, taken) => {
  expect(checkContentType(from({ 'content-type': type }))?.status).toBe(taken ? undefined : 415)
})

it('names what came in place of JSON', () => {
  expect(checkContentType(from({}))?.error.message).toMatch(/application\/json, got none$/)
  expect(checkContentType(from({ 'content-type': 'a/b' }))?.error.message).toMatch(
    /application\/json, got "a\/b"$/,
  )
})

it('takes a body as it is, and none that is packed', () => {
  const packed = (encoding: string) =>
    checkContentType(from({ 'content-type': 'application/json', 'content-encoding': encoding }))?.status
  expect([packed('identity'), packed('Identity'), packed('gzip')]).toEqual([undefined, undefined, 415])
})

it.each([
  [undefined, true],
  [EVENTS, true],
  [`application/json, ${EVENTS}`, true],
  ['Text/Event-Stream', true],
  ['text/*', true],
  ['*/*', true],
  [`${EVENTS};q=0.1`, true],
  ['application/json', false],
  ['image/*', false],
  ['', false],
  [`${EVENTS};q=0`, false],
  [`${EVENTS}; Q=0.00`, false],
  [`*/*, ${EVENTS};q=0`, false],
  [`${EVENTS};q=0, ${EVENTS}`, false],
  [`text/*;q=0, ${EVENTS}`, true],
  ['*/*, text/*;q=0', false],
])('a client that takes %j takes events: %s', (accept, taken) => {
  const exchange = from(accept === undefined ? {} : { accept })
  expect(accepts(exchange, EVENTS)).toBe(taken)
  expect(checkStreamAccept(exchange)?.status).toBe(taken ? undefined : 406)
})

it.each([
  [undefined, true],
  [`application/json, ${EVENTS}`, true],
  ['application/json', true],
  [EVENTS, false],
])('a client that takes %j can be answered: %s', (accept, taken) => {
  const refused = checkPostAccept(from(accept === undefined ? {} : { accept }))
  expect(refused?.status).toBe(taken ? undefined : 406)
  if (!taken)
    expect(refused?.error.message).toBe(
      `Not acceptable: expected Accept: application/json, ${EVENTS}, got "${EVENTS}"`,
    )
})
