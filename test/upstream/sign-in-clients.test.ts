import { describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { endAfterEach } from './gateway-of.ts'
import { startPlainIssuer } from './plain-issuer.ts'
import { configure, forgetSaid, keep, kept, said, signIn, signInBeforeEach } from './signing-in.ts'

endAfterEach()
signInBeforeEach()

const byHeader = (authorization = '') => atob(authorization.replace('Basic ', ''))

describe('a program that registers itself', () => {
  it('takes a secret of which nobody says when it expires, and an answer of 200 for one of 201', async () => {
    const registration = { client_id: 'a', client_secret: 'b' }
    const { url, asked } = await startPlainIssuer({ registration, registeredStatus: 200 })
    await signIn([url])
    expect(kept().client).toMatchObject({ id: 'a', secret: 'b', registered: true })
    expect(byHeader(asked[0]?.authorization)).toBe('a:b')
  })

  it.each([
    ['client_secret_basic', ['client_secret_basic'], ['a-b.c:d_e%3Af', null]],
    ['client_secret_post', ['client_secret_post'], [undefined, 'd_e:f']],
    ['none', ['none', 'client_secret_post'], [undefined, null]],
  ])('asks for %s where that is taken, and does it', async (method, known, [header, secret]) => {
    const { url, registered, asked } = await startPlainIssuer({
      metadata: { token_endpoint_auth_methods_supported: known },
      registration: { client_id: 'a-b.c', ...(method !== 'none' && { client_secret: 'd_e:f' }) },
    })
    await signIn([url])
    expect(registered[0]).toMatchObject({ token_endpoint_auth_method: method })
    expect([
      asked[0]?.authorization && byHeader(asked[0].authorization),
      asked[0]?.form.get('client_secret'),
    ]).toEqual([header, secret])
  })

  it('does as it is told in the answer, whatever it asked for', async () => {
    const registration = {
      client_id: 'a',
      client_secret: 'b',
      token_endpoint_auth_method: 'client_secret_post',
    }
    const { url, asked } = await startPlainIssuer({ registration })
    await signIn([url])
    expect(asked[0]?.authorization).toBeUndefined()
    expect(asked[0]?.form.get('client_secret')).toBe('b')
  })

  it('is told where nobody takes what it can do', async () => {
    const { url } = await startPlainIssuer({
      metadata: { token_endpoint_auth_methods_supported: ['tls_client_auth'] },
    })
    await expect(signIn([url])).rejects.toThrow(
      'Expected one of none, client_secret_basic, client_secret_post',
    )
  })

  it('does so again when its secret has expired', async () => {
    const registration = { client_id: 'a', client_secret: 'b', client_secret_expires_at: 1 }
    const { url, registered } = await startPlainIssuer({ registration })
    await signIn([url])
    forgetSaid()
    await signIn([url])
    expect(registered).toHaveLength(2)
  })
})

describe('a client that is named', () => {
  it('in the configuration is known by that, asks for what stands there, and comes back where it says', async () => {
    const { url, registered, authorized, asked } = await startPlainIssuer()
    const callbackPort = await freePort()
    const oauth = { clientId: 'mine', clientSecret: 'secret', scope: 'read write', callbackPort }
    await signIn(['files', ...configure({ url, oauth })])
    expect(registered).toEqual([])
    expect(Object.fromEntries(authorized[0] ?? [])).toMatchObject({
      client_id: 'mine',
      scope: 'read write',
      resource: url,
      redirect_uri: `http://127.0.0.1:${callbackPort}/callback`,
    })
    expect(byHeader(asked[0]?.authorization)).toBe('mine:secret')
    expect(kept().scope).toBe('read write')
    forgetSaid()
    await signIn(['files', ...configure({ url, oauth }), '--scope', 'all', '--client-id', 'other'])
    expect(Object.fromEntries(authorized[1] ?? [])).toMatchObject({ client_id: 'other', scope: 'all' })
    expect(asked[1]?.authorization).toBeUndefined()
  })

  it('is told what it was not granted of what it asked for', async () => {
    const { url } = await startPlainIssuer({ grant: { scope: 'read' } })
    await signIn([url, '--scope', 'read write'])
    expect(said()).toContain('Signed in to upstream, but not for write, which was not granted.')
  })

  it('by a document registers where documents are not read, if it can', async () => {
    const oauth = { clientId: 'https://app.example/client.json' }
    const { url, registered } = await startPlainIssuer()
    await signIn(['files', ...configure({ url, oauth })])
    expect(registered).toHaveLength(1)
    expect(kept().client.id).toBe('registered')
    forgetSaid()
    const other = await startPlainIssuer({ metadata: { registration_endpoint: undefined } })
    await expect(signIn(['files', ...configure({ url: other.url, oauth })])).rejects.toThrow(
      'does not read documents of clients',
    )
  })

  it('at one place is made known at another only if that is named', async () => {
    const { url, origin, asked } = await startPlainIssuer()
    const oauth = { clientId: 'mine', clientSecret: 'secret' }
    keep('files', url, { issuer: 'https://before.example', client: { id: 'mine', registered: false } })
    await expect(signIn(['files', ...configure({ url, oauth })])).rejects.toThrow(
      `mine is known at https://before.example, and the server sends it to ${origin} now`,
    )
    expect(asked).toEqual([])
    await signIn(['files', ...configure({ url, oauth: { ...oauth, issuer: origin } })])
    expect(kept().issuer).toBe(origin)
  })
})

describe('a server that tells nothing of who signs people in', () => {
  it('is taken to do so itself, as in 2025-03-26', async () => {
    const { url, origin, authorized, asked } = await startPlainIssuer({ metadata: undefined })
    await signIn([url])
    expect(kept()).toMatchObject({ issuer: origin, tokenEndpoint: `${origin}/token`, access: 'granted' })
    expect(authorized[0]?.get('code_challenge_method')).toBe('S256')
    expect(asked[0]?.form.get('code_verifier')).toMatch(/^.{43}/)
  })

  it('and does not, is told of with where it was looked for', async () => {
    const { url, origin } = await startPlainIssuer({ metadata: undefined, registration: 404 })
    await expect(signIn([url])).rejects.toThrow(
      `nobody can be found who signs you in: ${origin} tells nothing of itself, and lets no program register itself (${origin}/register answers 404)`,
    )
    await expect(signIn([url, '--issuer', origin])).rejects.toThrow('/.well-known/openid-configuration')
  })
})
