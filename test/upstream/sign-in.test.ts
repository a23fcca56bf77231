import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { request as nodeRequest } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { logIn } from '../../src/cli/gateway/login.ts'
import { logOut } from '../../src/cli/gateway/logout.ts'
import { connect } from '../../src/client/index.ts'
import { defineServer, defineTool, serveHttp } from '../../src/index.ts'
import { clientOf, endAfterEach, ending, gatewayTo, listen, namesOf, noted, textOf } from './gateway-of.ts'
import { protectedServer } from './protected-server.ts'
import { forgetSaid, inFolder, kept, said, signIn, signInBeforeEach, tokens } from './signing-in.ts'

endAfterEach()
signInBeforeEach()

describe('signing in', { timeout: 60_000 }, () => {
  it('finds the way, registers, and has a gateway that runs served at once', async () => {
    const { url, issuer, from } = await protectedServer()
    const gateway = gatewayTo({ files: { url, tokens: tokens() } })
    const client = await clientOf(gateway)
    const [state] = [...gateway.relaying.upstreams].map((one) => one.state)
    expect(state).toMatchObject({
      state: 'signed-out',
      lastError: { text: expect.stringContaining('login files') },
    })
    expect(noted.join()).toContain('files wants you to sign in: perigee gateway login files')
    await signIn(['files', ...from])
    expect(said()).toContain('Signed in to files. It has 1 tool.')
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['whoami']), 20_000)
    expect(textOf(await client.callTool('whoami'))).toContain('alice')
    if (process.platform !== 'win32') expect(statSync(tokens()).mode & 0o777).toBe(0o600)
    const { access = '', refresh = '', client: known } = kept()
    expect(refresh).not.toBe('')
    for (const secret of [access, refresh]) expect(said() + noted.join()).not.toContain(secret)
    expect(known).toMatchObject({
      registered: true,
      redirect: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    })
    forgetSaid()
    await signIn(['files', ...from])
    expect(issuer.registrations()).toBe(1)
  })

  it('renews tokens that expire, once for all who call, and wants a new sign-in when they are revoked', async () => {
    const { url, issuer, from } = await protectedServer({ seconds: 5 })
    await signIn(['files', ...from])
    const { access: first } = kept()
    const { renew, ...rest } = kept()
    expect(renew).toBeGreaterThan(0)
    writeFileSync(
      tokens(),
      JSON.stringify({ version: 1, tokens: { [`files ${url}`]: { ...rest, renew: 1 } } }),
    )
    const gateway = gatewayTo({ files: { url, tokens: tokens() } })
    const client = await clientOf(gateway)
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.callTool('whoami')))
    expect(answers.map(textOf).join()).toMatch(/^(.*alice.*,){3}.*alice/)
    await vi.waitFor(() => expect(kept().access).not.toBe(first), 20_000)
    await issuer.revokeAll()
    const revoked = kept()
    writeFileSync(
      tokens(),
      JSON.stringify({ version: 1, tokens: { [`files ${url}`]: { ...revoked, access: 'old' } } }),
    )
    await vi.waitFor(async () => {
      const result = await client.callTool('whoami')
      expect(textOf(result)).toBe('files wants you to sign in: perigee gateway login files')
    }, 20_000)
    await expect.poll(() => kept()).not.toHaveProperty('access')
    expect(kept()).not.toHaveProperty('refresh')
    expect(kept().client.registered).toBe(true)
  })

  it('out revokes the tokens and forgets them', async () => {
    const { url, from } = await protectedServer()
    await signIn(['files', ...from])
    const { refresh = '', tokenEndpoint, client, resource } = kept()
    await logOut(['files', ...from])
    expect(said()).toContain('Signed out of files, and its tokens are not taken any more.')
    expect(JSON.parse(readFileSync(tokens(), 'utf8')).tokens).toEqual({})
    const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id: client.id, resource }
    const response = await fetch(tokenEndpoint, { method: 'POST', body: new URLSearchParams(form) })
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
    await expect(logOut([url])).rejects.toThrow('nobody is signed in to upstream')
  })

  it('goes by the document of a client, where that is read', async () => {
    const id = 'https://app.example/client.json'
    const port = await freePort()
    const document = {
      client_id: id,
      client_name: 'App',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    }
    const { issuer, from } = await protectedServer({ documents: { [id]: document } })
    await signIn(['files', ...from, '--client-id', id, '--port', String(port)])
    expect(kept().client).toEqual({
      id,
      method: 'none',
      redirect: document.redirect_uris[0],
      registered: false,
    })
    expect(issuer.registrations()).toBe(0)
  })

  it('does not take an answer of somebody else, of another issuer, or one that says no', async () => {
    const { from } = await protectedServer()
    const back = (query: string) => async (url: string) => {
      const { searchParams } = new URL(url)
      const to = `${searchParams.get('redirect_uri')}?state=${searchParams.get('state')}&${query}`
      const stray = await fetch(to.replace(/state=[^&]+/, 'state=guessed'))
      expect([stray.status, await stray.text()]).toEqual([400, expect.stringContaining('not the answer')])
      await fetch(to)
    }
    await expect(signIn(['files', ...from], back('code=x&iss=https://evil.example'))).rejects.toThrow(/iss/)
    forgetSaid()
    await expect(
      signIn(['files', ...from], back('error=access_denied&error_description=No&iss=')),
    ).rejects.toThrow(/iss|access_denied/)
    expect(() => readFileSync(tokens())).toThrow('ENOENT')
  })
})

describe('a place to sign in', () => {
  const json = (value: object) => (_request: unknown, response: import('node:http').ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

  it.each([
    ['of something else', { resource: 'https://other.example/mcp' }, 'for which one does not sign in here'],
    [
      'that is not safe',
      { authorization_servers: ['http://evil.example'] },
      'no safe place to sign in: expected https',
    ],
    [
      'that is none',
      { authorization_servers: ['nowhere'] },
      'its authorization server: the string "nowhere" is no address',
    ],
  ])('%s is refused', async (_what, told, message) => {
    let url = ''
    url = await listen((request, response) => json({ resource: url, ...told })(request, response))
    await expect(logIn([url])).rejects.toThrow(message)
  })

  it('without PKCE is refused', async () => {
    let url = ''
    url = await listen((request, response) => {
      const issuer = new URL(url).origin
      const endpoints = { authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` }
      const isServer = /authorization-server/.test(request.url ?? '')
      json(isServer ? { issuer, ...endpoints } : { resource: url, authorization_servers: [issuer] })(
        request,
        response,
      )
    })
    await expect(logIn([url])).rejects.toThrow('PKCE with S256')
  })

  it('is not asked for a command, nor for a name that nobody has', async () => {
    const file = inFolder('mcp.json')
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { git: { command: 'git' }, hub: { url: 'https://a.example' } } }),
    )
    await expect(logIn(['git', '--from', file])).rejects.toThrow('git is a command')
    await expect(logIn(['hubb', '--from', file])).rejects.toThrow('Did you mean hub?')
    await expect(logIn([])).rejects.toThrow('expected one name')
  })
})

it('a client asks once more where it is given other headers after a challenge', async () => {
  const seen: (string | undefined)[] = []
  const server = defineServer({
    name: 'a',
    version: '1',
    tools: [defineTool({ name: 'go', run: () => 'gone' })],
  })
  const http = await serveHttp(server, { port: 0, greeting: 'none' })
  ending.push(() => http.close(0))
  const front = await listen((request, response) => {
    seen.push(request.headers.authorization)
    if (request.headers.authorization !== 'Bearer new')
      return response.writeHead(401, { 'www-authenticate': 'Bearer realm="x"' }).end()
    const { port, pathname } = new URL(http.url)
    const headers = { ...request.headers, host: `127.0.0.1:${port}` }
    request.pipe(
      nodeRequest({ port, path: pathname, method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      }),
    )
  })
  let token = 'old'
  const headers = (challenge?: string) => {
    if (challenge !== undefined) token = 'new'
    return { authorization: `Bearer ${token}` }
  }
  await using client = await connect(front, { headers })
  expect(textOf(await client.callTool('go'))).toBe('gone')
  expect(seen.slice(0, 2)).toEqual(['Bearer old', 'Bearer new'])
  expect(seen.filter((one) => one === 'Bearer old')).toHaveLength(1)
})
