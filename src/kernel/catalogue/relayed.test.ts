import { describe, expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient, type TestClient } from '../../client/test-client.ts'
import type { Relayed } from '../definitions/relayed.ts'
import type { JsonObject } from '../jsonrpc/message.ts'

const [OLDEST, NEW] = ['2024-11-05', '2026-07-28']
const SIGNATURE = 'io.modelcontextprotocol/serverInfo'
const THEIRS = { name: 'theirs', version: '9' }
const LINK = { type: 'resource_link', uri: 'x:1', name: 'one', title: 'One' }
const LINK_IN_WORDS = { type: 'text', text: 'One: x:1' }

/** A server that has these of another one. */
function serve(given: { readonly [list in 'tools' | 'resources' | 'templates' | 'prompts']?: Relayed }) {
  const server = defineServer({ name: 'ours', version: '1' })
  if (given.tools) server.tools.add(given.tools)
  if (given.resources) server.resources.add(given.resources)
  if (given.templates) server.templates.add(given.templates)
  if (given.prompts) server.prompts.add(given.prompts)
  return server
}

const named = (result: unknown, more: Partial<Relayed> = {}): Relayed => ({
  relayed: { name: 'far', title: 'Far away', extra: 1, inputSchema: { type: 'object' } },
  answer: () => result,
  ...more,
})
const at = (uri: string, result: unknown, more: Partial<Relayed> = {}): Relayed => ({
  relayed: { uri, uriTemplate: uri, name: 'far' },
  answer: () => result,
  ...more,
})

const seen = async (client: TestClient, method: string, params: JsonObject) => {
  const { _meta, ...result } = await client.request(method, params)
  return { ...result, ...(_meta !== undefined && { meta: _meta }) }
}

describe('a tool of another server', () => {
  it('is listed as it is listed there, and says what its server says, signed by ours', async () => {
    const result = {
      resultType: 'complete',
      content: [LINK, 'no block'],
      structuredContent: [1],
      odd: 7,
      _meta: { [SIGNATURE]: THEIRS, mine: 1 },
    }
    const server = serve({ tools: named(result) })
    const client = await createTestClient(server)
    expect((await client.request('tools/list'))['tools']).toEqual([
      { name: 'far', title: 'Far away', extra: 1, inputSchema: { type: 'object' } },
    ])
    expect(await seen(client, 'tools/call', { name: 'far', arguments: { whatever: 1 } })).toEqual({
      resultType: 'complete',
      content: [LINK, 'no block'],
      structuredContent: [1],
      odd: 7,
      meta: { [SIGNATURE]: expect.objectContaining({ name: 'ours' }), mine: 1 },
    })
    const old = await createTestClient(server, { revision: OLDEST })
    expect(await seen(old, 'tools/call', { name: 'far' })).toEqual({
      content: [LINK_IN_WORDS, 'no block'],
      odd: 7,
      meta: { mine: 1 },
    })
  })

  it.each([
    [{ [SIGNATURE]: THEIRS }, undefined],
    [{ mine: 1 }, { mine: 1 }],
    ['no object', 'no object'],
  ])('is not signed twice: %j', async (_meta, meta) => {
    const server = serve({ tools: named({ content: 'none', _meta }) })
    const old = await createTestClient(server, { revision: OLDEST })
    expect(await seen(old, 'tools/call', { name: 'far' })).toEqual({
      content: 'none',
      ...(meta !== undefined && { meta }),
    })
  })

  it('fails as any other, and is there for whom it is for', async () => {
    const server = serve({
      tools: named('', { scopes: ['theirs'], answer: () => Promise.reject(new Error('not there')) }),
    })
    const granted = await createTestClient(server, { principal: { id: 'ann', scopes: ['theirs'] } })
    expect(await granted.callTool('far')).toMatchObject({ isError: true, content: [{ text: 'not there' }] })
    const stranger = await createTestClient(server, { principal: { id: 'bob', scopes: ['ours'] } })
    expect((await stranger.request('tools/list'))['tools']).toEqual([])
    await expect(stranger.callTool('far')).rejects.toThrow('this needs theirs')
  })

  it('may ask for headers, and is there also where it asks for what cannot be', async () => {
    const header = (name: string) => ({
      relayed: {
        name: 'far',
        inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': name } } },
      },
    })
    const [one, other] = [
      serve({ tools: named('', header('A')) }),
      serve({ tools: named('', header('no header')) }),
    ]
    expect(one.tools.find('far')?.headers).toEqual([{ name: 'A', path: ['a'] }])
    expect(other.tools.find('far')?.headers).toEqual([])
  })
})

describe('a resource of another server', () => {
  const contents = [{ uri: 'x:a', text: 'a', _meta: { b: 1 } }]

  it('keeps for as long as that server says, or for no time', async () => {
    const result = { contents, ttlMs: 500, cacheScope: 'public', _meta: { [SIGNATURE]: THEIRS } }
    const server = serve({ resources: at('x:a', result), templates: at('x:{b}', { contents: 'none' }) })
    const client = await createTestClient(server)
    expect(await seen(client, 'resources/read', { uri: 'x:a' })).toMatchObject({
      contents,
      ttlMs: 500,
      cacheScope: 'public',
      meta: { [SIGNATURE]: { name: 'ours' } },
    })
    expect(await seen(client, 'resources/read', { uri: 'x:b' })).toMatchObject({
      contents: 'none',
      ttlMs: 0,
      cacheScope: 'private',
    })
    const old = await createTestClient(server, { revision: OLDEST })
    expect(await seen(old, 'resources/read', { uri: 'x:a' })).toEqual({
      contents: [{ uri: 'x:a', text: 'a' }],
    })
  })

  it('is subscribed to if that server agrees', async () => {
    const asked: string[] = []
    const confirm = async (uri: string) => {
      asked.push(uri)
      if (uri === 'x:broken') throw new Error('away')
      return uri === 'x:told'
    }
    const server = serve({
      templates: at('x:{b}', {}, { subscribable: true, confirm }),
      resources: at('x:silent', {}, { confirm }),
    })
    const old = await createTestClient(server, { revision: OLDEST })
    await old.request('resources/subscribe', { uri: 'x:told' })
    for (const uri of ['x:untold', 'x:silent'])
      await expect(old.request('resources/subscribe', { uri })).rejects.toThrow('Resource not found')
    expect(asked).toEqual(['x:told', 'x:untold'])
    const client = await createTestClient(server)
    const resourceSubscriptions = ['x:broken', 'x:told', 'x:untold', 'x:silent']
    void client.request('subscriptions/listen', { notifications: { resourceSubscriptions } }).catch(() => {})
    await expect
      .poll(() => client.notices)
      .toMatchObject([{ params: { notifications: { resourceSubscriptions: ['x:told'] } } }])
  })

  it('is not subscribed to for a client that has left before that server agrees', async () => {
    const asking: ((agreed: boolean) => void)[] = []
    const confirm = () => new Promise<boolean>((resolve) => void asking.push(resolve))
    const server = serve({ templates: at('x:{b}', {}, { subscribable: true, confirm }) })
    const told: string[] = []
    server.relaying.interest.add({ begin: (uri) => void told.push(uri), end: () => {} })
    const old = await createTestClient(server, { revision: OLDEST })
    const asked = old.request('resources/subscribe', { uri: 'x:told' }).catch(() => {})
    old.close()
    asking[0]?.(true)
    await asked
    await new Promise(setImmediate)
    expect([told, server.held.total]).toEqual([[], 0])
  })

  it('is listed also under a template that cannot be read here', async () => {
    const server = serve({ templates: at('x:{', {}) })
    const client = await createTestClient(server)
    expect((await client.request('resources/templates/list'))['resourceTemplates']).toMatchObject([
      { uriTemplate: 'x:{' },
    ])
    await expect(client.request('resources/read', { uri: 'x:{' })).rejects.toThrow('Resource not found')
  })

  it('is looked for where nothing stands on a list, and where a template has nothing', async () => {
    const server = serve({ templates: at('x:{b}', undefined, { answer: ({ params }) => later(params) }) })
    const later = (params: JsonObject | undefined) =>
      params?.['uri'] === 'x:later' ? Promise.resolve() : undefined
    const source = (text: string, scopes: readonly string[]) => ({
      scopes,
      mimeType: undefined,
      subscribable: false,
      cache: undefined,
      relayed: true,
      read: () => ({ contents: [{ uri: 'x:a', text }] }),
    })
    server.relaying.elsewhere.add((uri) => (uri.startsWith('y:') ? undefined : source('found', ['theirs'])))
    const granted = await createTestClient(server)
    for (const uri of ['x:now', 'x:later', 'z:anywhere'])
      expect(await granted.request('resources/read', { uri })).toMatchObject({
        contents: [{ text: 'found' }],
      })
    await expect(granted.request('resources/read', { uri: 'y:a' })).rejects.toThrow('Resource not found')
    const stranger = await createTestClient(server, { principal: { id: 'bob', scopes: [] } })
    for (const uri of ['x:now', 'z:a'])
      await expect(stranger.request('resources/read', { uri })).rejects.toThrow('Resource not found')
  })
})

describe('a prompt of another server', () => {
  it('is told as it is, in the words that a revision has', async () => {
    const messages = [{ role: 'user', content: LINK }, { role: 'user', content: 'text' }, 'none']
    const server = serve({ prompts: named({ messages, description: 'd', _meta: { [SIGNATURE]: THEIRS } }) })
    const old = await createTestClient(server, { revision: OLDEST })
    expect(await seen(old, 'prompts/get', { name: 'far', arguments: { any: 5 } })).toEqual({
      description: 'd',
      messages: [{ role: 'user', content: LINK_IN_WORDS }, { role: 'user', content: 'text' }, 'none'],
    })
    const client = await createTestClient(server)
    expect((await client.request('prompts/get', { name: 'far' }))['messages']).toEqual(messages)
  })
})

describe('suggestions of another server', () => {
  const completion = { values: ['a'], total: 1, hasMore: false }
  const complete = async () => ({ completion, resultType: 'complete', _meta: { [SIGNATURE]: THEIRS } })
  const ask = (client: TestClient, ref: JsonObject) =>
    seen(client, 'completion/complete', { ref, argument: { name: 'whatever', value: '' } })

  it.each([
    ['prompts', { type: 'ref/prompt', name: 'far' }],
    ['templates', { type: 'ref/resource', uri: 'x:{b}' }],
  ] as const)('for %s are given as they are, whatever its arguments are', async (list, ref) => {
    const server = serve({
      [list]: list === 'prompts' ? named({}, { complete }) : at('x:{b}', {}, { complete }),
    })
    const client = await createTestClient(server)
    expect((await client.request('server/discover'))['capabilities']).toMatchObject({ completions: {} })
    expect(await ask(client, ref)).toMatchObject({ completion, meta: { [SIGNATURE]: { name: 'ours' } } })
  })

  it('are none where that server has none', async () => {
    const server = serve({ prompts: named({}) })
    const client = await createTestClient(server, { revision: NEW })
    expect((await client.request('server/discover'))['capabilities']).not.toHaveProperty('completions')
    await expect(ask(client, { type: 'ref/prompt', name: 'far' })).rejects.toMatchObject({ code: -32601 })
  })
})
