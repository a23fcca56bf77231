import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { makeLock } from '../../src/contract/lock/lock.ts'
import {
  apiKeys,
  createFetchHandler,
  defineServer,
  type HttpOptions,
  oauth,
  type ServerDefinition,
  serveHttp,
} from '../../src/index.ts'
import type { JsonObject } from '../../src/kernel/index.ts'
import { checkAgainst } from '../setup/draft-schemas.ts'

const NAMED = { allowedHosts: ['mcp.example.com'] }
const WEATHER = {
  name: 'weather',
  version: '1.2.3',
  title: 'Weather',
  description: 'Tells what the weather is like, and what it will be like',
  tools: [{ name: 'now', run: () => 'rain' }],
  prompts: [{ name: 'plan', render: () => 'Plan my day' }],
  resources: [{ uri: 'weather://stations', name: 'stations', read: () => 'none' }],
} satisfies ServerDefinition

type Ask = (path: string, init?: RequestInit & { readonly host?: string }) => Promise<Response>

/** Asks a server for its documents by any name it may have. */
function asked(options: HttpOptions = {}, definition: Partial<ServerDefinition> = {}) {
  const server = defineServer({ ...WEATHER, ...definition })
  const handle = createFetchHandler(server, options)
  const ask: Ask = (path, { host = 'http://127.0.0.1:8181', ...init } = {}) =>
    handle(new Request(new URL(path, host), init))
  return { server, ask }
}

const PUBLIC = { host: 'https://mcp.example.com' }

const read = async (response: Response | Promise<Response>) => (await (await response).json()) as JsonObject

describe('the server card', () => {
  it('says who the server is, where it is reached and what it speaks, as the draft has it', async () => {
    const { ask } = asked({ ...NAMED, path: '/weather/mcp' })
    const response = await ask('/weather/mcp/server-card', PUBLIC)
    expect(response.headers.get('content-type')).toBe('application/mcp-server-card+json')
    const card = await read(response)
    expect(checkAgainst('server-card', card)).toEqual([])
    expect(card).toMatchObject({
      name: 'com.example.mcp/weather',
      version: '1.2.3',
      title: 'Weather',
      description: WEATHER.description,
      remotes: [{ type: 'streamable-http', url: 'https://mcp.example.com/weather/mcp' }],
    })
    const [{ supportedProtocolVersions }] = card['remotes'] as [{ supportedProtocolVersions: string[] }]
    expect(supportedProtocolVersions).toContain('2026-07-28')
    expect(supportedProtocolVersions).toContain('2025-03-26')
  })

  it('stands in the catalogue of its host', async () => {
    const { ask } = asked(NAMED)
    const response = await ask('/.well-known/ai-catalog.json', PUBLIC)
    expect(response.headers.get('content-type')).toBe('application/ai-catalog+json')
    expect(await read(response)).toEqual({
      specVersion: '1.0',
      entries: [
        {
          identifier: 'urn:air:mcp.example.com:mcp:weather',
          type: 'application/mcp-server-card+json',
          url: 'https://mcp.example.com/mcp/server-card',
        },
      ],
    })
  })

  it('has the name and the address that it was given', async () => {
    const card = { name: 'org.example/sky', url: 'https://api.example.org/v1/mcp' }
    const { ask } = asked({ ...NAMED, card })
    expect(await read(ask('/mcp/server-card', PUBLIC))).toMatchObject({
      name: card.name,
      remotes: [{ url: card.url }],
    })
    const { entries } = await read(ask('/.well-known/ai-catalog.json', PUBLIC))
    expect(entries).toMatchObject([
      { identifier: 'urn:air:example.org:mcp:sky', url: `${card.url}/server-card` },
    ])
  })

  it.each([
    ['http', {}],
    ['https', { 'x-forwarded-proto': 'https' }],
    ['http', { 'x-forwarded-proto': 'http, https' }],
    ['https', { forwarded: 'for=192.0.2.1;proto=https' }],
    ['http', { forwarded: 'for=192.0.2.1;proto=http' }],
    ['https', { 'x-forwarded-for': '192.0.2.1' }],
    ['https', { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'javascript' }],
  ])('is reached by %s where a proxy says %j', async (scheme, headers) => {
    const { ask } = asked(NAMED)
    const { remotes } = await read(ask('/mcp/server-card', { host: 'http://mcp.example.com', headers }))
    expect(remotes).toMatchObject([{ url: `${scheme}://mcp.example.com/mcp` }])
  })

  it.each([
    [{ name: 'weather' }, 'card: name: expected a name such as com.example/weather, got "weather"'],
    [{ url: 'api' }, 'card: url: expected an address such as https://mcp.example.com/mcp, got "api"'],
    [{ nmae: 'a/b' }, 'card: there is no "nmae"'],
  ])('that could not be is refused before anybody is served: %j', async (card, message) => {
    await expect(serveHttp(defineServer(WEATHER), { card: card as object })).rejects.toThrow(message)
  })

  it('keeps within what the draft allows, whatever the server says of itself', async () => {
    const long = 'x'.repeat(300)
    const { ask } = asked({}, { name: `my ${long}`, title: long, description: long, version: long })
    expect(checkAgainst('server-card', await read(ask('/mcp/server-card')))).toEqual([])
    const silent = createFetchHandler(defineServer({ name: 's', version: '1' }))
    const card = await read(silent(new Request('http://127.0.0.1/mcp/server-card')))
    expect(checkAgainst('server-card', card)).toEqual([])
  })

  it('describes a server by its title, or by its name, where it says nothing else of itself', async () => {
    const described = async (more: object) => {
      const silent = createFetchHandler(defineServer({ name: 's', version: '1', ...more }))
      return (await read(silent(new Request('http://127.0.0.1/mcp/server-card'))))['description']
    }
    expect(await described({ title: 'Weather' })).toBe('Weather')
    expect(await described({})).toBe('The MCP server s')
  })

  it('is not sent again to whoever has it, and has a tag of its own bytes', async () => {
    const { ask } = asked(NAMED)
    const first = await ask('/mcp/server-card', PUBLIC)
    const etag = first.headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask('/mcp/server-card', { ...PUBLIC, headers: { 'if-none-match': known } })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    }
    const other = await ask('/mcp/server-card', { ...PUBLIC, headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
    const { ask: changed } = asked(NAMED, { version: '1.2.4' })
    expect((await changed('/mcp/server-card', PUBLIC)).headers.get('etag')).not.toBe(etag)
  })

  it('names what it depends on, so that nobody is given the answer of others', async () => {
    const { ask } = asked({ ...NAMED, allowedOrigins: ['https://app.example.com'] })
    const first = await ask('/mcp/server-card', PUBLIC)
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    for (const answer of [first, await ask('/mcp/server-card', { ...PUBLIC, headers })]) {
      expect(answer.headers.get('vary')).toContain('x-forwarded-proto, forwarded')
      expect(answer.headers.get('vary')).not.toContain('origin')
    }
    for (const origin of [{}, { origin: 'https://app.example.com' }]) {
      const answer = await ask('/.well-known/ai-catalog.json', { headers: origin })
      expect(answer.headers.get('vary')).toMatch(/^origin, .*forwarded/)
    }
    const { ask: said } = asked({ ...NAMED, card: { url: 'https://api.example.org/mcp' } })
    expect((await said('/mcp/server-card', PUBLIC)).headers.get('vary')).toBe(null)
  })

  it('is asked for by GET and HEAD alone', async () => {
    const http = await serveHttp(defineServer(WEATHER), { greeting: 'none', supervise: false })
    const url = `${http.url}/server-card`
    const [got, head] = [await fetch(url), await fetch(url, { method: 'HEAD' })]
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'etag'])
      expect(head.headers.get(name)).toBe(got.headers.get(name))
    const same = await fetch(url, { headers: { 'if-none-match': got.headers.get('etag') ?? '' } })
    expect([same.status, same.headers.get('content-length')]).toEqual([304, null])
    const post = await fetch(url, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    await http.close()
  })

  it('is not there where it is switched off', async () => {
    const { ask } = asked({ card: false })
    expect((await ask('/mcp/server-card')).status).toBe(404)
    expect((await ask('/.well-known/ai-catalog.json')).status).toBe(404)
  })

  it('leaves its place to a page of the author', async () => {
    const { ask } = asked({ pages: { '/mcp/server-card': (exchange) => exchange.answer(200, {}, 'mine') } })
    expect(await (await ask('/mcp/server-card')).text()).toBe('mine')
  })
})

describe('who may read it', () => {
  const authenticator = apiKeys({ keys: [{ name: 'ann', key: 'a-long-secret' }] })

  it('anybody, without the key that MCP is called with, and says which that is', async () => {
    const { ask } = asked({ authenticator })
    const card = await read(ask('/mcp/server-card'))
    expect(checkAgainst('server-card', card)).toEqual([])
    expect(card['remotes']).toMatchObject([
      { headers: [{ name: 'Authorization', isRequired: true, isSecret: true, value: 'Bearer {key}' }] },
    ])
    expect(JSON.stringify(card)).not.toContain('a-long-secret')
  })

  it('anybody, and says of no key where callers bring tokens of an issuer', async () => {
    const url = 'https://mcp.example.com'
    const { ask } = asked({ authenticator: oauth({ issuer: 'https://issuer.example.com', resource: url }) })
    const { remotes } = await read(ask('/mcp/server-card'))
    expect(remotes).toEqual([expect.not.objectContaining({ headers: expect.anything() })])
  })

  it('pages of every origin, by a name that was allowed', async () => {
    const { ask } = asked(NAMED)
    const init = { ...PUBLIC, headers: { origin: 'https://elsewhere.example' } }
    const shown = await ask('/mcp/server-card', init)
    expect(shown.status).toBe(200)
    const preflight = await ask('/.well-known/ai-catalog.json', { ...init, method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    for (const { headers } of [shown, preflight]) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-methods')).toBe('GET')
      expect(headers.get('access-control-allow-headers')).toBe('Content-Type, If-None-Match')
      expect(headers.get('access-control-expose-headers')).toBe('ETag')
    }
    expect(shown.headers.get('cache-control')).toBe('public, max-age=3600')
    expect((await ask('/mcp', { ...init, method: 'POST', body: '{}' })).status).toBe(403)
  })

  it('no page of another origin where it is served on this machine alone', async () => {
    const { ask } = asked({ allowedHosts: ['localhost'], allowedOrigins: ['https://app.example.com'] })
    for (const host of ['http://127.0.0.1:8181', 'http://localhost:8181']) {
      const evil = await ask('/mcp/server-card', { host, headers: { origin: 'https://evil.example' } })
      expect([evil.status, evil.headers.get('access-control-allow-origin')]).toEqual([403, null])
    }
    const own = await ask('/mcp/server-card', { headers: { origin: 'https://app.example.com' } })
    expect(own.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(own.headers.get('access-control-expose-headers')).toBe('ETag')
    expect(own.headers.get('cache-control')).toBe('no-cache')
  })

  it('nobody by a name that is none of ours', async () => {
    const { ask } = asked(NAMED)
    expect((await ask('/mcp/server-card', { host: 'https://rebound.example' })).status).toBe(403)
  })
})

describe('what it says of the contract', () => {
  const hashOf = async (ask: Ask) => {
    const { _meta } = await read(ask('/mcp/server-card'))
    return (_meta as JsonObject)['perigee/lock']
  }

  it.each(['all', 'search'] as const)('is the hash of the lock of what it has: offer %s', async (offer) => {
    const tools = Array.from({ length: 120 }, (_, number) => ({ name: `tool_${number}`, run: () => 'done' }))
    const { ask } = asked({}, { offer, tools, pageSize: 50 })
    const client = await connect(asked({}, { tools }).server)
    const listed = await Promise.all([
      client.tools(),
      client.prompts(),
      client.resources(),
      client.templates(),
    ])
    const [all, prompts, resources, templates] = listed as unknown as JsonObject[][]
    if (!all || !prompts || !resources || !templates) throw new Error('a list is missing')
    expect(await hashOf(ask)).toBe(makeLock({ tools: all, prompts, resources, templates }).hash)
    await client.close()
  })

  it('is another when a list has changed, and again the same when it is as it was', async () => {
    const { server, ask } = asked()
    const before = await hashOf(ask)
    server.tools.add({ name: 'later', run: () => 'later' })
    await new Promise(setImmediate)
    expect(await hashOf(ask)).not.toBe(before)
    server.tools.remove('later')
    await new Promise(setImmediate)
    expect(await hashOf(ask)).toBe(before)
  })

  it('tells nothing of what callers without scopes may not see', async () => {
    const keys = [{ name: 'ann', key: 'a-long-secret', scopes: ['secret'] }]
    const options = { authenticator: apiKeys({ keys }) }
    const hidden = (description: string) => ({
      name: 'hidden',
      description,
      scopes: ['secret'],
      run: () => '',
    })
    const one = asked(options, { tools: [...WEATHER.tools, hidden('one')] })
    const other = asked(options, { tools: [...WEATHER.tools, hidden('other')] })
    expect(await hashOf(one.ask)).toBe(await hashOf(other.ask))
    expect(await hashOf(one.ask)).toBe(await hashOf(asked(options).ask))
  })
})
