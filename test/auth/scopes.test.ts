import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import type { AuthorCall, JsonObject, AuthorMiddleware as Middleware } from '../../src/kernel/index.ts'
import { apiKeys } from '../../src/transports/http/auth/api-keys.ts'
import { type Answer, type RequestHeaders, ScopedSite } from './site.ts'

const keys = [
  { name: 'all', key: 'key-of-all' },
  { name: 'none', key: 'key-of-none', scopes: [] },
  { name: 'files', key: 'key-of-files', scopes: ['files'] },
  { name: 'reader', key: 'key-of-reader', scopes: ['files:read'] },
  { name: 'near', key: 'key-of-near', scopes: ['file', 'files:rea', 'files:read:deep', 'memo', 'FILES'] },
  { name: 'memos', key: 'key-of-memos', scopes: ['memos', 'diary', 'briefs'] },
]

const as = (name: string): RequestHeaders => ({ authorization: `Bearer key-of-${name}` })

let site: ScopedSite
beforeAll(async () => {
  site = await ScopedSite.open({ authenticator: apiKeys({ keys }), sessionless: 'served' })
})
afterAll(() => site[Symbol.asyncDispose]())

type Ask = (method: string, params: JsonObject, headers: RequestHeaders) => Promise<Answer>

const ERAS: readonly (readonly [string, Ask])[] = [
  ['without a session', (method, params, headers) => site.modern(method, params, headers)],
  [
    'without a session where one is expected',
    (method, params, headers) => site.post({ jsonrpc: '2.0', id: 1, method, params }, headers),
  ],
  [
    'within a session',
    async (method, params, headers) => site.within(await site.open(headers), method, params, headers),
  ],
]

function names(answer: Answer, list: string): readonly unknown[] {
  const entries = answer.body.result?.[list] as readonly JsonObject[]
  return entries.map((entry) => entry['name'])
}

describe.each(ERAS)('%s', (_era, ask) => {
  it.each([
    ['all', ['hello', 'read', 'move', 'post']],
    ['none', ['hello']],
    ['files', ['hello', 'read', 'move']],
    ['reader', ['hello', 'read']],
    ['near', ['hello']],
  ])('the holder of %s sees the tools it may use', async (name, tools) => {
    expect(names(await ask('tools/list', {}, as(name)), 'tools')).toEqual(tools)
  })

  it.each([
    ['resources/list', 'resources', ['open'], ['open', 'closed']],
    ['resources/templates/list', 'resourceTemplates', [], ['diary']],
    ['prompts/list', 'prompts', ['greet'], ['greet', 'brief']],
  ])('%s shows what the caller may use', async (method, list, few, all) => {
    expect(names(await ask(method, {}, as('none')), list)).toEqual(few)
    expect(names(await ask(method, {}, as('memos')), list)).toEqual(all)
    expect(names(await ask(method, {}, as('all')), list)).toEqual(all)
  })

  it.each([
    ['tools/call', { name: 'read' }, 'none', 'files:read'],
    ['tools/call', { name: 'read' }, 'near', 'files:read'],
    ['resources/read', { uri: 'memo://closed' }, 'files', 'memos'],
    ['resources/read', { uri: 'diary://monday' }, 'files', 'diary'],
    ['prompts/get', { name: 'brief' }, 'files', 'briefs'],
  ])('%s %j is refused to the holder of %s', async (method, params, name, scope) => {
    const answer = await ask(method, params, as(name))
    expect(answer).toMatchObject({
      status: 403,
      challenge: `Bearer error="insufficient_scope", scope="${scope}"`,
    })
    expect(answer.body).toMatchObject({ id: 1, error: { code: 403, data: { scopes: [scope] } } })
  })

  it.each([
    ['tools/call', { name: 'read' }, 'reader'],
    ['tools/call', { name: 'move' }, 'files'],
    ['tools/call', { name: 'post' }, 'all'],
    ['resources/read', { uri: 'memo://closed' }, 'memos'],
    ['resources/read', { uri: 'diary://monday' }, 'memos'],
    ['prompts/get', { name: 'brief' }, 'memos'],
  ])('%s %j is done for the holder of %s', async (method, params, name) => {
    const answer = await ask(method, params, as(name))
    expect(answer.status).toBe(200)
    expect(answer.body.result).toBeDefined()
  })

  it('names everything that is needed, not only what is missing', async () => {
    const answer = await ask('tools/call', { name: 'move' }, as('reader'))
    expect(answer.challenge).toBe('Bearer error="insufficient_scope", scope="files:read files:write"')
    expect(answer.body.error?.data).toEqual({ scopes: ['files:write'] })
  })

  it('runs nothing that it refuses', async () => {
    site.ran.length = 0
    await ask('tools/call', { name: 'post' }, as('files'))
    expect(site.ran).toEqual([])
  })
})

describe('a status is not given away for a log notice that comes before it', () => {
  const telling: readonly (readonly [string, Middleware])[] = [
    [
      'at once',
      (call, next) => {
        call.log('error', 'before')
        return next(call)
      },
    ],
    [
      'later',
      async (call, next) => {
        await Promise.resolve()
        call.log('error', 'before')
        return next(call)
      },
    ],
  ]

  it.each(telling)('that is told %s', async (_when, tell) => {
    await using told = await ScopedSite.open({ authenticator: apiKeys({ keys }) }, [tell])
    const session = await told.open(as('reader'))
    const refused = { status: 403, challenge: 'Bearer error="insufficient_scope", scope="mail"' }
    expect(await told.within(session, 'tools/call', { name: 'post' }, as('reader'))).toMatchObject(refused)
    const asking = { name: 'post', _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } }
    expect(await told.modern('tools/call', asking, as('reader'))).toMatchObject(refused)
    // Whoever may call hears it.
    const heard = await told.within(session, 'tools/call', { name: 'read' }, as('reader'))
    expect(heard.text).toContain('"data":"before"')
  })
})

it('a call that was let in is heard to its end, whatever its tool asks for meanwhile', async () => {
  const server = defineServer({ name: 's', version: '1' })
  const guarded = (scopes: readonly string[]) => ({
    name: 'guarded',
    scopes,
    run: (_args: unknown, call: AuthorCall) => {
      call.log('error', 'before')
      server.tools.remove('guarded')
      server.tools.add(guarded(['mail']))
      call.log('error', 'after')
      return 'done'
    },
  })
  server.tools.add(guarded(['files:read']))
  await using changed = await ScopedSite.serve(server, { authenticator: apiKeys({ keys }) })
  const _meta = { 'io.modelcontextprotocol/logLevel': 'debug' }
  const { text } = await changed.modern('tools/call', { name: 'guarded', _meta }, as('reader'))
  expect([...text.matchAll(/"(before|after|done)"/g)].map(([, said]) => said)).toEqual([
    'before',
    'after',
    'done',
  ])
})

it('a list that depends on the caller must not be shared', async () => {
  const scoped = await site.modern('tools/list', {}, as('none'))
  expect(scoped.body.result?.['cacheScope']).toBe('private')
  const whole = await site.modern('tools/list', {}, as('all'))
  expect(whole.body.result?.['cacheScope']).toBe('public')
})

it('the log says who lacks a scope, and for what', async () => {
  site.events.length = 0
  await site.modern('tools/call', { name: 'post' }, as('reader'))
  await site.modern('resources/read', { uri: 'memo://closed' }, as('reader'))
  expect(site.events).toMatchObject([
    { kind: 'turned-away', message: 'Insufficient scope: this needs mail (key:reader, tools/call post)' },
    { kind: 'turned-away', message: 'Insufficient scope: this needs memos (key:reader, resources/read)' },
  ])
})

it('a batch is checked call by call', async () => {
  const headers = as('reader')
  const initialize = {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  }
  const opened = await site.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }, headers)
  const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  await site.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)
  const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })
  const response = await fetch(site.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...session },
    body: JSON.stringify([call(1, 'read'), call(2, 'post')]),
  })
  expect(await response.json()).toMatchObject([
    { id: 1, result: {} },
    { id: 2, error: { code: 403 } },
  ])
})
