import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiKeys } from '../../src/transports/http/auth/api-keys.ts'
import { postTwice, ScopedSite } from './site.ts'

const KEYS = [
  { name: 'alice', key: 'alice-key-0123456789' },
  { name: 'bob', key: 'bob-key-0123456789', scopes: ['files'] },
]

const as = (key: string) => ({ authorization: `Bearer ${key}` })

describe('keys in Authorization', () => {
  let site: ScopedSite
  beforeAll(async () => {
    site = await ScopedSite.open({ authenticator: apiKeys({ keys: KEYS }) })
  })
  afterAll(() => site[Symbol.asyncDispose]())

  it.each(KEYS)('the key of $name opens the door', async ({ key }) => {
    expect((await site.modern('tools/list', {}, as(key))).status).toBe(200)
  })

  it('the word Bearer may be written in any case', async () => {
    const answer = await site.modern('tools/list', {}, { authorization: 'bEARER alice-key-0123456789' })
    expect(answer.status).toBe(200)
  })

  it('a caller without a key is told what is missing', async () => {
    const answer = await site.modern('tools/list')
    expect(answer).toMatchObject({ status: 401, challenge: 'Bearer' })
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
  })

  it.each([
    ['a wrong key', 'wrong'],
    ['the beginning of a key', 'alice-key-012345678'],
    ['a key and more', 'alice-key-01234567890'],
    ['a key in other letters', 'ALICE-KEY-0123456789'],
    ['the name of a key', 'alice'],
  ])('%s is refused', async (_title, key) => {
    const answer = await site.modern('tools/list', {}, as(key))
    expect(answer).toMatchObject({ status: 401, challenge: 'Bearer error="invalid_token"' })
  })

  it.each([
    ['the bare key', 'alice-key-0123456789'],
    ['another scheme', 'Basic alice-key-0123456789'],
    ['two keys in one line', 'Bearer alice-key-0123456789, Bearer alice-key-0123456789'],
    ['nothing after the word', 'Bearer'],
  ])('%s is refused', async (_title, authorization) => {
    expect((await site.modern('tools/list', {}, { authorization })).status).toBe(401)
  })

  it('two headers are refused, even if both are right', async () => {
    const right = 'Bearer alice-key-0123456789'
    expect(await postTwice(site.url, 'Authorization', [right, right])).toBe(401)
    expect(await postTwice(site.url, 'Authorization', [right, 'Bearer wrong'])).toBe(401)
  })

  it.each(['key', 'token', 'access_token', 'authorization', 'api_key'])(
    'a key in the query is not looked at (%s)',
    async (name) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
      expect((await site.post(message, {}, `?${name}=alice-key-0123456789`)).status).toBe(401)
    },
  )

  it.each(['GET', 'DELETE'])('%s needs a key too', async (method) => {
    const response = await fetch(site.url, { method, headers: { accept: 'text/event-stream' } })
    expect(response.status).toBe(401)
  })

  it.each(['/sse', '/messages?sessionId=x'])('the pair of 2024 needs a key too (%s)', async (path) => {
    const response = await fetch(`${site.origin}${path}`, { method: path === '/sse' ? 'GET' : 'POST' })
    expect(response.status).toBe(401)
  })

  it('the session of somebody else looks like one that is not there', async () => {
    const session = await site.open(as('alice-key-0123456789'))
    const [bob, alice] = [as('bob-key-0123456789'), as('alice-key-0123456789')]
    const stolen = await site.within(session, 'tools/list', {}, bob)
    const invented = await site.within('no-such-session', 'tools/list', {}, bob)
    expect(stolen.status).toBe(404)
    expect(stolen.body).toEqual(invented.body)
    expect((await site.within(session, 'tools/list', {}, alice)).status).toBe(200)
  })

  it('somebody else cannot end a session', async () => {
    const session = await site.open(as('alice-key-0123456789'))
    const end = (key: string) =>
      fetch(site.url, { method: 'DELETE', headers: { 'mcp-session-id': session, ...as(key) } })
    expect((await end('bob-key-0123456789')).status).toBe(404)
    expect((await end('alice-key-0123456789')).status).toBe(204)
  })
})

describe('keys in a header of their own', () => {
  let site: ScopedSite
  beforeAll(async () => {
    site = await ScopedSite.open({ authenticator: apiKeys({ keys: KEYS, header: 'X-Api-Token' }) })
  })
  afterAll(() => site[Symbol.asyncDispose]())

  it('the bare key opens the door', async () => {
    expect((await site.modern('tools/list', {}, { 'x-api-token': 'alice-key-0123456789' })).status).toBe(200)
  })

  it('a caller without a key is told which header is missing', async () => {
    const answer = await site.modern('tools/list')
    expect(answer).toMatchObject({ status: 401, challenge: 'ApiKey header="X-Api-Token"' })
    expect(answer.body.error?.message).toBe('Unauthorized: expected a key in X-Api-Token')
  })

  it.each(['', 'wrong', 'Bearer alice-key-0123456789', 'alice-key-012345678'])(
    '%j is refused',
    async (value) => {
      expect((await site.modern('tools/list', {}, { 'x-api-token': value })).status).toBe(401)
    },
  )

  it('the key is not looked for in Authorization', async () => {
    expect((await site.modern('tools/list', {}, as('alice-key-0123456789'))).status).toBe(401)
  })

  it('two headers are refused, even if both are right', async () => {
    const right = 'alice-key-0123456789'
    expect(await postTwice(site.url, 'X-Api-Token', [right, right])).toBe(401)
  })

  it('a missing scope is told in the same way', async () => {
    const answer = await site.modern('tools/call', { name: 'post' }, { 'x-api-token': 'bob-key-0123456789' })
    expect(answer).toMatchObject({
      status: 403,
      challenge: 'ApiKey header="X-Api-Token", error="insufficient_scope", scope="mail"',
    })
  })
})
