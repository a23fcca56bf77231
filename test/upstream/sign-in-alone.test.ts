import { generateKeyPairSync } from 'node:crypto'
import { exportJWK } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { logIn } from '../../src/cli/gateway/login.ts'
import { logOut } from '../../src/cli/gateway/logout.ts'
import { clientOf, endAfterEach, gatewayTo, noted, textOf } from './gateway-of.ts'
import { startPlainIssuer } from './plain-issuer.ts'
import { protectedServer } from './protected-server.ts'
import { blockTokens } from './renewing.ts'
import { configure, forgetSaid, keep, kept, said, signInBeforeEach, tokens } from './signing-in.ts'

endAfterEach()
signInBeforeEach()

const ALONE = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }
const SECRET = { client_id: 'robot-1', client_secret: 'a secret: of 100%', ...ALONE }
const oauth = {
  grant: 'client_credentials',
  clientId: SECRET.client_id,
  clientSecret: SECRET.client_secret,
} as const

describe('a gateway that signs in by itself', { timeout: 60_000 }, () => {
  it.each(['client_secret_basic', 'client_secret_post'] as const)(
    'does so with a secret, by %s',
    async (tokenEndpointAuthMethod) => {
      const clients = [{ ...SECRET, token_endpoint_auth_method: tokenEndpointAuthMethod }]
      const { url } = await protectedServer({ clients })
      const settings = { ...oauth, tokenEndpointAuthMethod }
      const client = await clientOf(gatewayTo({ files: { url, tokens: tokens(), oauth: settings } }))
      expect(textOf(await client.callTool('whoami'))).toContain('robot-1')
      expect(kept().client).toEqual({ id: 'robot-1', registered: false })
    },
  )

  it.each([
    ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ])(
    'does so with a key for %s, also where a variable holds it in one line, and out again',
    async (alg, { privateKey, publicKey }) => {
      const jwks = { keys: [{ ...(await exportJWK(publicKey)), use: 'sig' }] }
      const method = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: alg }
      const { url } = await protectedServer({ clients: [{ client_id: 'robot', jwks, ...method, ...ALONE }] })
      const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' })).replaceAll('\n', '\\n')
      const settings = { grant: 'client_credentials', clientId: 'robot', privateKey: pem } as const
      const client = await clientOf(gatewayTo({ files: { url, tokens: tokens(), oauth: settings } }))
      expect(textOf(await client.callTool('whoami'))).toContain('robot')
      await logOut(['files', ...configure({ url, oauth: settings })])
      expect(said()).toContain('says unsupported_token_type') // It is known by its key; of such tokens none is revoked there.
    },
  )

  it('says what kind of key is wanted where it has another', async () => {
    const metadata = { token_endpoint_auth_signing_alg_values_supported: ['HS256', 'RS256'] }
    const { url } = await startPlainIssuer({ metadata })
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const settings = { grant: 'client_credentials', clientId: 'robot', privateKey: pem } as const
    await expect(logIn(['files', ...configure({ url, oauth: settings })])).rejects.toThrow(
      /that signs by RS256$/,
    )
  })

  it('is signed out with its secret, and says so where there was nothing left', async () => {
    const { url, revoked } = await startPlainIssuer()
    const from = configure({ url, oauth })
    await logIn(['files', ...from])
    forgetSaid()
    await logOut(['files', ...from])
    expect(said()).toBe('Signed out of files, and its tokens are not taken any more.\n')
    expect(revoked).toEqual([{ authorization: expect.stringMatching(/^Basic /), form: expect.anything() }])
    expect(revoked[0]?.form.get('token')).toBe('granted')
    keep('files', url, {})
    forgetSaid()
    await logOut(['files', ...from])
    expect(said()).toBe('Signed out of files, which had no tokens any more.\n')
  })

  it.each([{}, { renew: 1 }])(
    'does so again when its token is not taken any more or is old, once for all who call: %j',
    async (renew) => {
      const { url, issuer } = await protectedServer({ clients: [SECRET] })
      const client = await clientOf(gatewayTo({ files: { url, tokens: tokens(), oauth } }))
      keep('files', url, { ...kept(), access: 'old', ...renew })
      await vi.waitFor(async () => {
        const answers = await Promise.all([1, 2, 3].map(() => client.callTool('whoami')))
        for (const answer of answers) expect(textOf(answer)).toContain('robot-1')
        expect(kept().access).not.toBe('old')
      }, 20_000)
      expect(issuer.granted()).toBe(2)
    },
  )

  it('does so also where nothing can be written', async () => {
    const { url } = await protectedServer({ clients: [SECRET] })
    blockTokens()
    const client = await clientOf(gatewayTo({ files: { url, tokens: tokens(), oauth } }))
    expect(textOf(await client.callTool('whoami'))).toContain('robot-1')
    expect(noted.join()).toContain('could not be kept')
  })

  it('says why where it cannot', async () => {
    const { url } = await protectedServer({ clients: [SECRET] })
    const wrong = { ...oauth, clientSecret: 'wrong' }
    const gateway = gatewayTo({ files: { url, tokens: tokens(), oauth: wrong } })
    await clientOf(gateway)
    const [state] = [...gateway.relaying.upstreams].map((one) => one.state)
    expect(state).toMatchObject({ state: 'signed-out' })
    expect(state?.lastError?.text).toMatch(/It could not be signed in to: .*invalid_client/)
    expect(noted.join()).not.toContain('wrong')
  })

  it('can be told to by hand, and no browser is opened', async () => {
    const { url } = await protectedServer({ clients: [SECRET] })
    await logIn(['files', ...configure({ url, oauth })])
    expect(said()).toBe('Signed in to files. It has 1 tool.\n')
  })

  it('asks for what stands in its configuration, and needs no place for people', async () => {
    const metadata = { authorization_endpoint: undefined, code_challenge_methods_supported: undefined }
    const { url, asked } = await startPlainIssuer({ metadata })
    await logIn(['files', ...configure({ url, oauth: { ...oauth, scope: 'a b' } })])
    expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
      grant_type: 'client_credentials',
      resource: url,
      scope: 'a b',
    })
  })
})
