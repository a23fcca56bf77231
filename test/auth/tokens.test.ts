import { createHmac } from 'node:crypto'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, importJWK, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { oauth } from '../../src/transports/http/auth/oauth.ts'
import { type Claims, Issuer, seconds } from './issuer.ts'
import { postTwice, ScopedSite } from './site.ts'

const RESOURCE = 'https://mcp.example.com/mcp'
const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp'
const MISSING = `Bearer scope="base", resource_metadata="${METADATA}"`

let issuer: Issuer
let site: ScopedSite

beforeAll(async () => {
  issuer = await Issuer.open()
  site = await ScopedSite.open({
    authenticator: oauth({
      issuer: issuer.url,
      resource: RESOURCE,
      scopes: ['base'],
      scopesSupported: ['base', 'files'],
    }),
  })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await issuer[Symbol.asyncDispose]()
})
afterEach(() => void vi.useRealTimers())

const as = (token: string) => ({ authorization: `Bearer ${token}` })
const claims = (more: Claims = {}): Claims => ({ aud: RESOURCE, scope: 'base', ...more })
const list = (token: string) => site.modern('tools/list', {}, as(token))

it('a token for us opens the door, again and again, and is looked at once', async () => {
  const token = await issuer.sign(claims())
  const verify = vi.spyOn(crypto.subtle, 'verify')
  expect((await list(token)).status).toBe(200)
  expect((await list(token)).status).toBe(200)
  expect(verify).toHaveBeenCalledOnce()
  verify.mockRestore()
})

it.each<[string, Claims]>([
  ['one of several audiences', { aud: ['https://other.example.com', RESOURCE] }],
  ['our URL with a slash at its end', { aud: `${RESOURCE}/` }],
  ['scopes under their other name', { scope: undefined, scp: ['base'] }],
  ['a client that acts for itself', { sub: undefined, client_id: 'robot' }],
  ['a clock that is a little ahead', { nbf: seconds() + 2 }],
])('a token may have %s', async (_title, more) => {
  expect((await list(await issuer.sign(claims(more)))).status).toBe(200)
})

it('a caller without a token is told where to get one', async () => {
  const answer = await site.modern('tools/list')
  expect(answer).toMatchObject({ status: 401, challenge: MISSING })
  expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
})

it('a token in the query is not looked at', async () => {
  const token = await issuer.sign(claims())
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  expect(await site.post(ping, {}, `?access_token=${token}`)).toMatchObject({
    status: 401,
    challenge: MISSING,
  })
})

it('another scheme is no token', async () => {
  const answer = await site.modern('tools/list', {}, { authorization: 'Basic YWxpY2U6aHVzaA==' })
  expect(answer).toMatchObject({ status: 401, challenge: MISSING })
})

it.each(['Bearer', 'Bearer a b', 'Bearer a, Bearer b'])('%j is malformed', async (authorization) => {
  const answer = await site.modern('tools/list', {}, { authorization })
  expect(answer.status).toBe(400)
  expect(answer.challenge).toMatch(/^Bearer error="invalid_request", error_description="[^"]+", scope="base"/)
})

it('two headers are malformed, even if both are right', async () => {
  const right = `Bearer ${await issuer.sign(claims())}`
  expect(await postTwice(site.url, 'Authorization', [right, right])).toBe(400)
})

it('an expired token is called expired', async () => {
  const answer = await list(await issuer.sign(claims({ exp: seconds() - 60 })))
  expect(answer.status).toBe(401)
  expect(answer.challenge).toBe(
    'Bearer error="invalid_token", error_description="the access token has expired", ' +
      `scope="base", resource_metadata="${METADATA}"`,
  )
})

const INVALID =
  'Bearer error="invalid_token", error_description="the access token is not valid here", ' +
  `scope="base", resource_metadata="${METADATA}"`

it.each<[string, Claims]>([
  ['for later', { nbf: seconds() + 600 }],
  ['for somebody else', { aud: 'https://other.example.com/mcp' }],
  ['for a neighbour', { aud: 'https://mcp.example.com/mcp2' }],
  ['for nobody', { aud: undefined }],
  ['of another issuer', { iss: 'https://issuer.example.com' }],
  ['of no issuer', { iss: undefined }],
  ['of nobody', { sub: undefined }],
  ['that never expires', { exp: undefined }],
])('a token %s is invalid', async (_title, more) => {
  const answer = await list(await issuer.sign(claims(more)))
  expect(answer).toMatchObject({ status: 401, challenge: INVALID })
})

it('a token without a signature is invalid', async () => {
  const { exp, iss, sub } = { exp: seconds() + 600, iss: issuer.url, sub: 'alice' }
  const token = new UnsecuredJWT(claims({ exp, iss, sub })).encode()
  expect(await list(token)).toMatchObject({ status: 401, challenge: INVALID })
})

it('a token signed with the public key as a secret is invalid', async () => {
  const [jwk] = issuer.publicKeys
  const key = await importJWK({ ...jwk, ext: true }, 'ES256')
  const secrets = [JSON.stringify(jwk), await exportSPKI(key as CryptoKey)]
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = part({ alg: 'HS256', kid: 'key-1' })
  const payload = part(claims({ exp: seconds() + 600, iss: issuer.url, sub: 'mallory' }))
  for (const secret of secrets) {
    const signature = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')
    expect(await list(`${header}.${payload}.${signature}`)).toMatchObject({ status: 401, challenge: INVALID })
  }
})

it('a token signed with a key of its own making is invalid', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const forged = await issuer.sign(claims(), { kid: 'key-1', alg: 'ES256', key: privateKey })
  expect(await list(forged)).toMatchObject({ status: 401, challenge: INVALID })
  const [, payload, signature] = forged.split('.')
  const jwk = await exportJWK(publicKey)
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'key-1', jwk })).toString('base64url')
  expect(await list(`${header}.${payload}.${signature}`)).toMatchObject({ status: 401, challenge: INVALID })
})

it('a token that was changed is invalid', async () => {
  const token = await issuer.sign(claims())
  const [header, , signature] = token.split('.')
  const [, other] = (await issuer.sign(claims({ sub: 'mallory' }))).split('.')
  expect(await list(`${header}.${other}.${signature}`)).toMatchObject({ status: 401, challenge: INVALID })
})

it.each(['garbage', 'a.b.c', '..', `${'a'.repeat(8000)}`, 'e30.e30.', '{"alg":"none"}'])(
  'garbage is an invalid token (%#)',
  async (token) => {
    expect(await list(token)).toMatchObject({ status: 401, challenge: INVALID })
  },
)

it('garbage does not make us ask the issuer', async () => {
  await using quiet = await Issuer.open()
  await using other = await ScopedSite.open({
    authenticator: oauth({ issuer: quiet.url, resource: RESOURCE }),
  })
  await other.modern('tools/list', {}, as('garbage'))
  await other.modern('tools/list', {}, as(new UnsecuredJWT(claims()).encode()))
  expect(quiet.asked).toEqual([])
})

it('a key that is not known is asked for again once the issuer has had time', async () => {
  await using rotating = await Issuer.open()
  await using other = await ScopedSite.open({
    authenticator: oauth({ issuer: rotating.url, resource: RESOURCE }),
  })
  const status = async () => (await other.modern('tools/list', {}, as(await rotating.sign(claims())))).status
  expect(await status()).toBe(200)
  await rotating.rotate('key-2', 'ES256', 'unpublished')
  expect(await status()).toBe(401)
  rotating.withdraw()
  await rotating.rotate('key-3', 'EdDSA')
  expect(await status()).toBe(401)
  expect(rotating.asked.filter((path) => path === '/keys')).toHaveLength(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  expect(await status()).toBe(200)
})

it('a token that does not name its key is tried with each that fits', async () => {
  await using vague = await Issuer.open()
  await using other = await ScopedSite.open({
    authenticator: oauth({ issuer: vague.url, resource: RESOURCE }),
  })
  await vague.rotate(undefined)
  const token = await vague.sign(claims())
  expect((await other.modern('tools/list', {}, as(token))).status).toBe(200)
  const expired = await other.modern('tools/list', {}, as(await vague.sign(claims({ exp: seconds() - 60 }))))
  expect(expired.challenge).toContain('the access token has expired')
  await vague.rotate(undefined, 'ES256', 'unpublished')
  expect((await other.modern('tools/list', {}, as(await vague.sign(claims())))).status).toBe(401)
})

it('a token is not remembered past its end', async () => {
  const token = await issuer.sign(claims({ exp: seconds() + 20 }))
  expect((await list(token)).status).toBe(200)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_000 })
  expect((await list(token)).status).toBe(401)
})

it.each([
  ['its metadata', ''],
  ['its metadata for a path', '/tenant'],
])('an issuer is asked for its keys by %s, once', async (_title, path) => {
  await using own = await Issuer.open(path)
  await using other = await ScopedSite.open({
    authenticator: oauth({ issuer: own.url, resource: RESOURCE }),
  })
  for (const sub of ['alice', 'bob']) {
    const token = await own.sign(claims({ sub }))
    expect((await other.modern('tools/list', {}, as(token))).status).toBe(200)
  }
  expect(own.asked).toEqual([`/.well-known/oauth-authorization-server${path}`, '/keys'])
})

it('an issuer may have metadata of OpenID Connect only', async () => {
  await using own = await Issuer.open('/tenant')
  own.metadataPaths.clear()
  own.metadataPaths.add('/tenant/.well-known/openid-configuration')
  await using other = await ScopedSite.open({
    authenticator: oauth({ issuer: own.url, resource: RESOURCE }),
  })
  expect((await other.modern('tools/list', {}, as(await own.sign(claims())))).status).toBe(200)
})

it('an issuer need not be asked where its keys are', async () => {
  await using own = await Issuer.open()
  await using other = await ScopedSite.open({
    authenticator: oauth({ issuer: own.url, resource: RESOURCE, jwksUri: own.jwksUri }),
  })
  expect((await other.modern('tools/list', {}, as(await own.sign(claims())))).status).toBe(200)
  expect(own.asked).toEqual(['/keys'])
})

it('while the issuer cannot be asked nobody is let in, and afterwards all is well', async () => {
  await using own = await Issuer.open()
  await using other = await ScopedSite.open({
    authenticator: oauth({ issuer: own.url, resource: RESOURCE }),
  })
  const token = await own.sign(claims())
  own.broken = true
  const answer = await other.modern('tools/list', {}, as(token))
  expect(answer).toMatchObject({ status: 503, challenge: null })
  expect(answer.body.error?.message).toMatch(/^Service unavailable/)
  expect(other.events).toMatchObject([
    { kind: 'crashed', method: 'authenticate', error: { message: expect.stringContaining(own.url) } },
    { kind: 'turned-away', status: 503 },
  ])
  own.broken = false
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 })
  expect((await other.modern('tools/list', {}, as(token))).status).toBe(200)
})

it('an issuer that failed is left alone for a while, however many tokens come', async () => {
  await using own = await Issuer.open()
  await using other = await ScopedSite.open({
    authenticator: oauth({ issuer: own.url, resource: RESOURCE }),
  })
  own.broken = true
  const statuses = async (times: number) => {
    const asking = Array.from({ length: times }, async (_, n) =>
      other.modern('tools/list', {}, as(await own.sign(claims({ jti: `${n}` })))),
    )
    return (await Promise.all(asking)).map(({ status }) => status)
  }
  expect(await statuses(1)).toEqual([503])
  const { length } = own.asked
  expect(await statuses(10)).toEqual(Array(10).fill(503))
  expect(own.asked).toHaveLength(length)
})

it.each([
  ['fails', (own: Issuer) => Object.assign(own, { broken: true })],
  ['has a page where its keys were', (own: Issuer) => Object.assign(own, { page: '<html>' })],
  ['has keys that are none', (own: Issuer) => Object.assign(own, { page: '{"keys":[[[]]]}' })],
  ['has keys without end', (own: Issuer) => Object.assign(own, { page: ' '.repeat(300_000) })],
])(
  'an issuer that %s keeps nobody out whose key is known, and is not asked for each unknown one',
  async (_what, fail) => {
    await using own = await Issuer.open()
    await using other = await ScopedSite.open({
      authenticator: oauth({ issuer: own.url, resource: RESOURCE }),
    })
    const list = async (token: string) => (await other.modern('tools/list', {}, as(token))).status
    const signed = await Promise.all(['1', '2', '3'].map((jti) => own.sign(claims({ jti }))))
    expect(await list(String(signed[0]))).toBe(200)
    fail(own)
    await own.rotate('key-2')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 }) // After this time an unknown key is looked up.
    const { length } = own.asked
    for (let times = 0; times < 5; times++)
      expect(await list(await own.sign(claims({ jti: `n${times}` })))).toBe(503)
    expect(own.asked).toHaveLength(length + 1)
    expect(await list(String(signed[1]))).toBe(200)
  },
)

it('a token without the scopes that everything needs is not enough', async () => {
  for (const scope of ['', 'files', 'bas', 'base:read']) {
    expect(await list(await issuer.sign(claims({ scope })))).toMatchObject({
      status: 403,
      challenge: `Bearer error="insufficient_scope", scope="base", resource_metadata="${METADATA}"`,
    })
  }
})

it('a token that was not enough once is not enough the next time, when it is known', async () => {
  const token = await issuer.sign(claims({ scope: 'files' }))
  for (let times = 0; times < 3; times++) expect((await list(token)).status).toBe(403)
})

it('a client that is called like a user is not that user', async () => {
  const session = await site.open(as(await issuer.sign(claims({ sub: 'alice' }))))
  const client = as(await issuer.sign(claims({ sub: undefined, client_id: 'alice' })))
  expect((await site.within(session, 'tools/list', {}, client)).status).toBe(404)
})

it('a tool says which scopes it needs, and nothing of it runs', async () => {
  const answer = await site.modern('tools/call', { name: 'read' }, as(await issuer.sign(claims())))
  expect(answer).toMatchObject({
    status: 403,
    challenge: `Bearer error="insufficient_scope", scope="base files:read", resource_metadata="${METADATA}"`,
  })
  expect(answer.body).toMatchObject({ id: 1, error: { code: 403, data: { scopes: ['files:read'] } } })
  expect(site.ran).toEqual([])
})

it('a client that comes back with a token for more goes on in its session', async () => {
  const [few, more] = [
    as(await issuer.sign(claims())),
    as(await issuer.sign(claims({ scope: 'base files' }))),
  ]
  const session = await site.open(few)
  const call = (headers: typeof few) => site.within(session, 'tools/call', { name: 'read' }, headers)
  expect((await call(few)).status).toBe(403)
  expect(await call(more)).toMatchObject({ status: 200, body: { result: {} } })
  expect((await call(few)).status).toBe(403)
})

it('the session of another user looks like one that is not there', async () => {
  const session = await site.open(as(await issuer.sign(claims())))
  const bob = as(await issuer.sign(claims({ sub: 'bob' })))
  expect((await site.within(session, 'tools/list', {}, bob)).status).toBe(404)
  const alice = as(await issuer.sign(claims({ jti: 'another' })))
  expect((await site.within(session, 'tools/list', {}, alice)).status).toBe(200)
})

it.each(['', '/mcp'])('anybody may read who issues tokens for us (%j)', async (path) => {
  const answer = await site.get(`/.well-known/oauth-protected-resource${path}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.body).toEqual({
    resource: RESOURCE,
    authorization_servers: [issuer.url],
    scopes_supported: ['base', 'files'],
    bearer_methods_supported: ['header'],
  })
})
