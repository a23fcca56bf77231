import { expect, it } from 'vitest'
import type { Exchange } from '../exchange.ts'
import { denyStrangers } from './access.ts'

const from = (remote: string | undefined, headers = {}) => ({ remote, headers }) as Exchange // Nothing else of it is asked for.

it.each([undefined, '127.0.0.1', '::1', '::ffff:127.0.0.1'])(
  'who asks from this machine is let in: %s',
  (remote) => {
    expect(denyStrangers(from(remote))).toBe(undefined)
  },
)

it.each([
  ['203.0.113.7', {}, 'this came from another machine.'],
  ['::ffff:203.0.113.7', {}, 'this came from another machine.'],
  ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 'this came through a proxy (x-forwarded-for).'],
  ['203.0.113.7', { via: '1.1 proxy' }, 'this came through a proxy (via).'],
])('a stranger at %s with the headers %j is told why it is not let in', (remote, headers, why) => {
  expect(denyStrangers(from(remote, headers))).toMatchObject({
    status: 403,
    error: expect.stringContaining(why),
  })
})
