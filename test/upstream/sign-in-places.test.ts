import { describe, expect, it } from 'vitest'
import { logIn } from '../../src/cli/gateway/login.ts'
import { clientOf, endAfterEach, gatewayTo, listen, noted } from './gateway-of.ts'
import { startPlainIssuer } from './plain-issuer.ts'
import { configure, keep, said, signIn, signInBeforeEach, tokens } from './signing-in.ts'

endAfterEach()
signInBeforeEach()

describe('what an authorization server says of itself', () => {
  it.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'])(
    'opens nothing and is told nothing where its %s is no safe place',
    async (endpoint) => {
      const evil = [
        'javascript:alert(1)',
        'file:///etc/passwd',
        'smb://evil.example/x',
        'vscode://evil',
        'data:,x',
      ]
      for (const place of [...evil, 'http://evil.example/a', 'https://you@evil.example', 17, 'nonsense']) {
        const { url, origin, asked } = await startPlainIssuer({ metadata: { [endpoint]: place } })
        await expect(signIn([url]), String(place)).rejects.toThrow(`${origin}: its ${endpoint}: `)
        expect(said()).toBe('')
        expect(asked).toEqual([])
      }
    },
  )

  it.each(['javascript:alert(1)', 'nowhere'])('is not asked of %s', async (issuer) => {
    const url: string = await listen((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ resource: url, authorization_servers: [issuer] })),
    )
    await expect(logIn([url])).rejects.toThrow(`${new URL(url).host}: its authorization server: the string`)
  })
})

describe('what stands in an address', () => {
  it('is told nobody: a user in it is who calls, and one does not sign in beside that', async () => {
    const seen = new Set<string | undefined>()
    const plain = await listen((request, response) => {
      seen.add(request.headers.authorization)
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    })
    const url = plain.replace('//', '//me:PASSWORD@')
    const oauth = { grant: 'client_credentials', clientId: 'a', clientSecret: 'b' } as const
    for (const more of [{}, { oauth }]) {
      const gateway = gatewayTo({ files: { url, tokens: tokens(), ...more } })
      const client = await clientOf(gateway)
      const [state] = [...gateway.relaying.upstreams].map((one) => one.state)
      const told = JSON.stringify([await client.request('tools/list'), state, noted])
      expect(told).toContain('The server refused: 401')
      expect(told).not.toMatch(/PASSWORD|login/)
    }
    expect([...seen]).toEqual([`Basic ${btoa('me:PASSWORD')}`])
    const refused = logIn(['files', ...configure({ url })])
    await expect(refused).rejects.toThrow('files is told who calls by the user in its address')
    await expect(
      logIn(['files', ...configure({ url: plain, headers: { Authorization: 'x' } })]),
    ).rejects.toThrow('files is told who calls by the header authorization of its entry')
  })

  it('after the path is not repeated', async () => {
    const url = await listen((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"resource":"https://other.example"}'),
    )
    await expect(logIn([`${url}?key=SECRET`])).rejects.toThrow(/^(?!.*SECRET).*does not sign in here/)
  })
})

describe('an authorization server that repeats what it was sent', () => {
  const refusal = (form: URLSearchParams, authorization?: string) => ({
    error: 'invalid_request',
    error_description: `got ${form} ${[...form.values()].join(' ')} ${authorization} ${atob((authorization ?? '').slice(6))}`,
  })
  const clientSecret = 'Secret/of:100%'
  const oauth = { clientId: 'mine', clientSecret }

  it.each(['client_secret_basic', 'client_secret_post'])(
    'in its refusal of a client with %s has no secret of it told',
    async (tokenEndpointAuthMethod) => {
      const { url, asked } = await startPlainIssuer({ refusal })
      const settings = { ...oauth, tokenEndpointAuthMethod }
      const told = await signIn(['files', ...configure({ url, oauth: settings })]).catch(String)
      expect(told).toContain('invalid_request: got ')
      const verifier = asked[0]?.form.get('code_verifier') ?? 'none'
      const basic = asked[0]?.authorization?.slice(6) ?? 'none'
      for (const secret of [clientSecret, encodeURIComponent(clientSecret), verifier, basic])
        expect(told).not.toContain(secret)
    },
  )

  it('in its refusal of a token or of a program has none of them told to callers, nor much else', async () => {
    const long = (form: URLSearchParams, authorization?: string) => ({
      error: 'invalid_request',
      error_description: refusal(form, authorization).error_description + 'x'.repeat(1000),
    })
    const { url, origin } = await startPlainIssuer({ refusal: long })
    const signed = { tokenEndpoint: `${origin}/token`, access: 'a', refresh: 'REFRESH', renew: 1 }
    keep('files', url, { ...signed, client: { id: 'mine', secret: clientSecret, registered: false } })
    await clientOf(gatewayTo({ files: { url, tokens: tokens() } }))
    const alone = { ...oauth, grant: 'client_credentials' } as const
    const gateway = gatewayTo({ others: { url, tokens: tokens(), oauth: alone } })
    const client = await clientOf(gateway)
    const told = JSON.stringify([await client.request('tools/list'), noted])
    expect(told).toMatch(/renewed: [^"]*invalid_request: got /)
    expect(told).toMatch(/signed in to: [^"]*invalid_request: got /)
    for (const secret of ['REFRESH', clientSecret, encodeURIComponent(clientSecret), btoa(clientSecret)])
      expect(told).not.toContain(secret)
    expect(told).not.toContain('x'.repeat(300))
  })
})
