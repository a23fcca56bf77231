import { expect, it } from 'vitest'
import { rateLimit } from '../../src/middleware/limit.ts'
import { apiKeys } from '../../src/transports/http/auth/api-keys.ts'
import { ScopedSite } from '../auth/site.ts'

const authenticator = apiKeys({
  keys: ['alice', 'bob'].map((name) => ({ name, key: `key-of-${name}` })),
})
const as = (name: string) => ({ authorization: `Bearer key-of-${name}` })
const HELLO = { name: 'hello' }

it('a caller that calls too often is told when to come back', async () => {
  await using site = await ScopedSite.open({ authenticator }, [rateLimit({ perMinute: 2 })])
  const call = () => site.modern('tools/call', HELLO, as('alice'))
  expect([(await call()).status, (await call()).status]).toEqual([200, 200])
  const answer = await call()
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(30)
  expect(answer.body).toMatchObject({ id: 1, error: { code: 429 } })
  expect(site.ran).toHaveLength(2)
})

it('holds for a caller in all of its sessions, and for nobody else', async () => {
  await using site = await ScopedSite.open({ authenticator }, [rateLimit({ perMinute: 1 })])
  const call = async (name: string) => site.within(await site.open(as(name)), 'tools/call', HELLO, as(name))
  expect((await call('alice')).status).toBe(200)
  const answer = await call('alice')
  expect(answer.status).toBe(429)
  expect(answer.headers.get('retry-after')).not.toBeNull()
  expect((await site.modern('tools/call', HELLO, as('alice'))).status).toBe(429)
  expect((await call('bob')).status).toBe(200)
})

it('lets a caller look at the lists all the same', async () => {
  await using site = await ScopedSite.open({ authenticator }, [rateLimit({ perMinute: 1 })])
  await site.modern('tools/call', HELLO, as('alice'))
  expect((await site.modern('tools/list', {}, as('alice'))).status).toBe(200)
})

it('callers that nobody knows share one limit', async () => {
  await using site = await ScopedSite.open({}, [rateLimit({ perMinute: 1 })])
  expect((await site.modern('tools/call', HELLO)).status).toBe(200)
  expect((await site.modern('tools/call', HELLO)).status).toBe(429)
})
