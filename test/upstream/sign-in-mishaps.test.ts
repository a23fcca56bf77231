import { createServer } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { logIn } from '../../src/cli/gateway/login.ts'
import { createNodeHandler, defineServer, defineTool } from '../../src/index.ts'
import { browse } from './browse.mjs'
import { endAfterEach, ending, listen } from './gateway-of.ts'
import { startPlainIssuer } from './plain-issuer.ts'
import { configure, keep, kept, said, signIn, signInBeforeEach } from './signing-in.ts'

endAfterEach()
signInBeforeEach()

describe('200 KB of scopes', () => {
  const scopes = Array.from({ length: 16_000 }, (_, index) => `scope:${index}`)

  it('are not asked for, and it is said how to name some', async () => {
    const { url, authorized, registered } = await startPlainIssuer({ resource: { scopes_supported: scopes } })
    await expect(signIn([url])).rejects.toThrow(
      /has 16000 scopes, with \d+ characters, .*Name those that you need: --scope "…", or scope in its oauth/,
    )
    expect([...authorized, ...registered]).toEqual([])
    await signIn([url, '--scope', 'scope:1'])
    expect(authorized[0]?.get('scope')).toBe('scope:1')
  })
})

describe('a port that the browser is to come back to', () => {
  it.each([
    ['callbackPort', (port: number) => ({ callbackPort: port })],
    ['--port', () => ({})],
  ])('and that is in use is told with %s and what would help', async (setting, oauthOf) => {
    const { url } = await startPlainIssuer()
    const other = createServer()
    const port = await freePort()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    ending.push(() => other.close())
    const flag = setting === '--port' ? ['--port', String(port)] : []
    const signing = signIn(['files', ...configure({ url, oauth: oauthOf(port) }), ...flag])
    await expect(signing).rejects.toThrow(
      `the browser is to come back to port ${port} (callbackPort in its oauth, or --port), which is in use by another program. End that, or name another port`,
    )
  })
})

describe('a server that wants nobody to sign in', () => {
  it('is told so, and nothing is kept', async () => {
    const tools = ['a', 'b'].map((name) => defineTool({ name, run: () => name }))
    const server = defineServer({ name: 's', version: '1', tools })
    const url = await listen(createNodeHandler(server, { allowAnonymous: true }))
    await logIn(['files', ...configure({ url })])
    expect(said()).toBe('files wants nobody to sign in: it has 2 tools for everybody.\n')
    expect(() => kept()).toThrow('ENOENT')
  })
})

describe('a program that has registered itself and is not known any more', () => {
  const begin = async () => {
    const refusal = (form: URLSearchParams) =>
      form.get('client_id') === 'old' ? { error: 'invalid_client' } : undefined
    const issuer = await startPlainIssuer({ refusal })
    const redirect = `http://127.0.0.1:${await freePort()}/callback`
    const client = { id: 'old', registered: true, redirect }
    keep('files', issuer.url, { issuer: issuer.origin, client })
    return { ...issuer, from: configure({ url: issuer.url }) }
  }
  const addresses = () => [...said().matchAll(/open:\n\n {2}(\S+)/g)].map(([, address]) => String(address))

  it('registers itself again, once, and has the person sign in as that', async () => {
    const { from, registered } = await begin()
    await signIn(['files', ...from], async (first) => {
      await browse(first)
      await vi.waitFor(() => expect(addresses()).toHaveLength(2), 20_000)
      await browse(addresses()[1] ?? '')
    })
    expect(registered).toHaveLength(1)
    expect(said()).toContain('does not know this program any more, which registers itself again')
    expect(kept()).toMatchObject({ access: 'granted', client: { id: 'registered' } })
  })

  it('is told what helps where nobody comes back from a page that may say so', async () => {
    const { from } = await begin()
    await expect(signIn(['files', ...from, '--timeout', '0'], async () => {})).rejects.toThrow(
      `nobody has signed in. If the page does not know this program any more: perigee gateway logout files ${from.join(' ')}, and sign in again`,
    )
  })
})
