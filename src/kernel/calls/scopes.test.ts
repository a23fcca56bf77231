import { describe, expect, it } from 'vitest'
import { openAs } from '../../../test/setup/caller.ts'
import { receive } from '../../../test/setup/receive.ts'
import { introduction, talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { parse } from '../jsonrpc/parse.ts'
import type { KernelEvent } from './events.ts'
import { knownScopes, unknownScopes } from './scopes.ts'

const server = defineServer({
  name: 's',
  version: '1',
  tools: [
    { name: 'open', run: () => 'open' },
    { name: 'guarded', scopes: ['notes:write', 'admin'], run: () => 'guarded' },
  ],
  resources: [
    { uri: 'x://secret', name: 'secret', scopes: ['notes:read'], subscribable: true, read: () => 'secret' },
  ],
  prompts: [{ name: 'p', scopes: ['notes:read'], render: () => 'p' }],
})

/** Sends a request of a caller who has been granted these scopes; none at all means no limits. */
async function as(scopes: readonly string[] | undefined, method: string, params: JsonObject = {}) {
  const principal = { id: 'ann', ...(scopes !== undefined && { scopes }) }
  const link = server.open({ outlet: { send: () => {} }, principal })
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: introduction() } }
  return (await receive(link, parse(JSON.stringify(message)))) as unknown as {
    result?: JsonObject
    error?: JsonObject
  }
}

it('lets a caller without scopes use everything', async () => {
  expect(await as(undefined, 'tools/call', { name: 'guarded' })).toMatchObject({ result: { isError: false } })
})

it('names the scopes that a caller lacks', async () => {
  const { error } = await as(['notes:write'], 'tools/call', { name: 'guarded' })
  expect(error).toMatchObject({
    message: 'Insufficient scope: this needs admin',
    data: { scopes: ['admin'] },
  })
  for (const [method, params] of [
    ['resources/read', { uri: 'x://secret' }],
    ['prompts/get', { name: 'p' }],
  ] as const) {
    expect(await as([], method, params)).toMatchObject({ error: { data: { scopes: ['notes:read'] } } })
    expect(await as(['notes:read'], method, params)).toMatchObject({ result: {} })
  }
})

it('needs nothing for what is named by no text, which is refused for that', async () => {
  const limited = defineServer({
    name: 's',
    version: '1',
    templates: [{ uriTemplate: 'x://{id}', name: 'x', scopes: ['notes:read'], read: () => 'x' }],
  })
  const { error } = await openAs(limited, { id: 'ann', scopes: [] }).ask('resources/read', { uri: 5 })
  expect(error?.message).toContain('uri: expected a string')
})

it('takes a broad scope for the narrow ones below it, and not for those beside it', async () => {
  expect(await as(['notes'], 'prompts/get', { name: 'p' })).toMatchObject({ result: {} })
  expect(await as(['note'], 'prompts/get', { name: 'p' })).toMatchObject({ error: {} })
  expect(await as(['notes:read:all'], 'prompts/get', { name: 'p' })).toMatchObject({ error: {} })
})

it('needs nothing for what is open or unknown', async () => {
  expect(await as([], 'tools/call', { name: 'open' })).toMatchObject({ result: { isError: false } })
  expect(await as([], 'tools/call', { name: 'nothing' })).toMatchObject({
    error: { message: 'Unknown tool: nothing' },
  })
  expect(await as([], 'resources/read', { uri: 'x://nothing' })).toMatchObject({ error: { code: -32602 } })
})

it('lists what a caller may use, and does not let others share that list', async () => {
  const limited = await as([], 'tools/list')
  expect(limited.result).toMatchObject({ tools: [{ name: 'open' }], cacheScope: 'private' })
  const free = await as(undefined, 'tools/list')
  expect(free.result).toMatchObject({ tools: [{ name: 'open' }, { name: 'guarded' }], cacheScope: 'public' })
})

describe('what a server says of itself', () => {
  const library = (unscoped: 'open' | 'closed' = 'open') =>
    defineServer({
      name: 's',
      version: '1',
      unscoped,
      tools: [{ name: 'dig', scopes: ['garden'], run: () => '' }],
      resources: [
        { uri: 'ui://shelf', name: 'shelf', scopes: ['books:read'], subscribable: true, read: () => '' },
      ],
      templates: [
        {
          uriTemplate: 'book://{id}',
          name: 'book',
          scopes: ['books:read'],
          complete: { id: () => ['b1'] },
          read: () => '',
        },
      ],
      prompts: [{ name: 'wish', scopes: ['books:read'], render: () => '' }],
      extensions: [
        { id: 'com.example/loans', settings: {}, handshake: true, scopes: ['books:lend'], methods: {} },
      ],
    })

  const everything = ['tools', 'resources', 'prompts', 'completions', 'extensions', 'logging']

  it.each([
    [undefined, everything],
    [['garden', 'books'], everything],
    [['garden'], ['tools', 'logging']],
    [['books:lend'], ['extensions', 'logging']],
    [[], ['logging']],
  ])('to a caller with the scopes %j is what that caller may use', async (scopes, expected) => {
    const principal = { id: 'ann', ...(scopes !== undefined && { scopes }) }
    const caller = openAs(library(), principal)
    const { result } = await caller.ask('server/discover', { _meta: introduction() })
    const capabilities = result?.['capabilities'] as JsonObject
    expect(
      Object.keys(capabilities)
        .filter((name) => name !== 'logging')
        .sort(),
    ).toEqual(expected.filter((name) => name !== 'logging').sort())
  })

  it('keeps a list that is empty for everybody', async () => {
    const server = defineServer({ name: 's', version: '1', tools: [] })
    const { result } = await openAs(server, { id: 'ann', scopes: [] }).ask('server/discover', {
      _meta: introduction(),
    })
    expect(result).toMatchObject({ capabilities: { tools: {} } })
  })

  it('names every scope that opens something, and none besides', () => {
    expect(knownScopes(library())).toEqual(['books:lend', 'books:read', 'garden'])
    expect(unknownScopes(['books', 'garden', 'garden:deep', 'book', '', 'exit'], library())).toEqual([
      'garden:deep',
      'book',
      '',
      'exit',
    ])
  })

  it('names those that only what is made at run time will ask for', () => {
    const server = defineServer({ name: 's', version: '1', laterScopes: ['notes:read'] })
    expect(knownScopes(server)).toEqual(['notes:read'])
    expect(unknownScopes(['notes', 'note'], server)).toEqual(['note'])
  })

  it('names those of servers that it stands for, before anybody knows what they have', () => {
    const server = library()
    server.relaying.extensions.add({ upstream: 'far', scopes: ['far'], declared: {}, find: () => undefined })
    expect(knownScopes(server)).toEqual(['books:lend', 'books:read', 'far', 'garden'])
  })
})

describe('where what has no scope is closed', () => {
  const closed = defineServer({
    name: 's',
    version: '1',
    unscoped: 'closed',
    tools: [
      { name: 'bare', run: () => 'bare' },
      { name: 'empty', scopes: [], run: () => 'empty' },
      { name: 'scoped', scopes: ['a'], run: () => 'scoped' },
    ],
    resources: [{ uri: 'x://bare', name: 'bare', read: () => '' }],
    templates: [{ uriTemplate: 'y://{z}', name: 'bare', read: () => '' }],
    prompts: [{ name: 'bare', render: () => '' }],
    extensions: [{ id: 'com.example/x', settings: {}, handshake: false, methods: { 'x/y': () => ({}) } }],
  })
  const limited = () => openAs(closed, { id: 'ann', scopes: ['a'] })

  it('a caller with scopes neither sees it nor may use it', async () => {
    expect(await limited().list('tools/list', 'tools')).toEqual(['scoped'])
    expect(await limited().list('resources/list', 'resources')).toEqual([])
    expect(await limited().list('resources/templates/list', 'resourceTemplates')).toEqual([])
    expect(await limited().list('prompts/list', 'prompts')).toEqual([])
    for (const [method, params] of [
      ['tools/call', { name: 'bare' }],
      ['tools/call', { name: 'empty' }],
      ['resources/read', { uri: 'x://bare' }],
      ['resources/read', { uri: 'y://z' }],
      ['prompts/get', { name: 'bare' }],
      ['x/y', { _meta: introduction() }],
    ] as const) {
      expect(await limited().ask(method, params)).toMatchObject({
        error: { message: 'Insufficient scope: this needs unscoped' },
      })
    }
    expect(await limited().say('scoped')).toBe('scoped')
  })

  it('a caller that was granted it by name may use it, and one without limits, too', async () => {
    for (const principal of [{ id: 'ann', scopes: ['unscoped'] }, { id: 'bob' }, undefined]) {
      expect(await openAs(closed, principal).say('bare')).toBe('bare')
    }
    expect(knownScopes(closed)).toEqual(['a', 'unscoped'])
  })

  it('may be opened where nothing is without one yet', () => {
    const tools = [{ name: 'scoped', scopes: ['a'], run: () => '' }]
    const server = defineServer({ name: 's', version: '1', tools, unscoped: 'closed' })
    expect(knownScopes(server)).toEqual(['a', 'unscoped'])
  })

  it('closes what is added later', async () => {
    closed.tools.add({ name: 'later', run: () => '' })
    expect(await limited().list('tools/list', 'tools')).toEqual(['scoped'])
    closed.tools.remove('later')
  })
})

describe('stopping the server', () => {
  function create() {
    let stopped = 0
    const noted: unknown[] = []
    const observe = (event: KernelEvent) => event.kind === 'noted' && noted.push(event.message)
    const stoppable = defineServer({ name: 's', version: '1', dialect: { exit: 'allowed' }, observe })
    stoppable.exits.add(() => stopped++)
    return { stoppable, stopped: () => stopped, noted }
  }

  it.each([
    ['no limits', undefined, 1],
    ['the scope for it', ['exit'], 1],
    ['another scope', ['moon'], 0],
    ['no scope', [], 0],
  ])('is for a caller with %s', async (_what, scopes, times) => {
    const principal = { id: 'ann', ...(scopes !== undefined && { scopes }) }
    const asking = create()
    const { error } = await openAs(asking.stoppable, principal).ask('exit')
    expect(error?.message).toBe(times === 1 ? undefined : 'Insufficient scope: this needs exit')
    const telling = create()
    openAs(telling.stoppable, principal).notify('exit')
    await new Promise(setImmediate)
    expect([asking.stopped(), telling.stopped()]).toEqual([times, times])
    const ignored = 'A notification to exit was ignored: Insufficient scope: this needs exit'
    expect(telling.noted).toEqual(times === 1 ? [] : [ignored])
  })

  it('needs no handshake', async () => {
    const { stoppable, stopped } = create()
    expect(await talk(stoppable).ask('exit')).toHaveProperty('result')
    expect(stopped()).toBe(1)
  })

  it('is a scope that is known where clients may ask for it', () => {
    expect(knownScopes(create().stoppable)).toEqual(['exit'])
    expect(knownScopes(server)).not.toContain('exit')
  })
})

describe('news of a list', () => {
  it('reaches those who may use what came or went', async () => {
    const told = defineServer({ name: 's', version: '1', tools: [] })
    const callers = [
      openAs(told, { id: 'ann', scopes: ['a'] }),
      openAs(told, { id: 'bob', scopes: ['b'] }),
      openAs(told),
    ]
    const heard = () => callers.map((caller) => caller.heard('notifications/tools/list_changed'))
    told.tools.add({ name: 't', scopes: ['a'], run: () => '' })
    await new Promise(setImmediate)
    expect(heard()).toEqual([1, 0, 1])
    told.tools.add({ name: 'own', run: () => '' }, 'bob')
    await new Promise(setImmediate)
    expect(heard()).toEqual([1, 1, 1])
    told.tools.remove('t')
    told.tools.remove('own', 'bob')
    await new Promise(setImmediate)
    expect(heard()).toEqual([2, 2, 2])
  })
})

it('asks for the scopes of a resource before anybody subscribes to it', () => {
  const subscribe = (scopes: readonly string[]) => {
    const link = server.open({ outlet: { send: () => {} }, principal: { id: 'ann', scopes } })
    const say = (id: number, method: string, params: JsonObject) =>
      receive(link, parse(JSON.stringify({ jsonrpc: '2.0', id, method, params })))
    const clientInfo = { name: 'c', version: '1' }
    void say(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    return { reply: say(2, 'resources/subscribe', { uri: 'x://secret' }), link }
  }
  const refused = subscribe(['notes:write'])
  expect(refused.reply).toMatchObject({ error: { code: 403, data: { scopes: ['notes:read'] } } })
  expect(refused.link.subscriptions.size).toBe(0)
  expect(subscribe(['notes:read']).reply).toMatchObject({ result: {} })
})

it.each(['tools/call', 'prompts/get', 'resources/read'])(
  'looks for the scopes of a name that is no name without reading it: %s',
  async (method) => {
    const name = { toString: [], valueOf: 1 }
    expect(await as([], method, { name, uri: name })).toMatchObject({ error: { code: -32602 } })
  },
)

it('completes nothing for a resource that the caller may not read, as if it were not there', async () => {
  const limited = defineServer({
    name: 's',
    version: '1',
    resources: [{ uri: 'x://secret', name: 'secret', scopes: ['notes:read'], read: () => 'secret' }],
    templates: [
      {
        uriTemplate: 'x://{a}',
        name: 'a',
        scopes: ['notes:read'],
        complete: { a: () => ['b'] },
        read: () => '',
      },
      { uriTemplate: 'y://{a}', name: 'b', complete: { a: () => ['c'] }, read: () => '' },
    ],
  })
  const complete = async (scopes: readonly string[], uri: string) => {
    const params = { ref: { type: 'ref/resource', uri }, argument: { name: 'a', value: '' } }
    const { error, result } = await openAs(limited, { id: 'ann', scopes }).ask('completion/complete', params)
    return error?.message.replace(uri, '…') ?? result?.['completion']
  }
  const nothing = await complete([], 'z://nowhere')
  expect(nothing).toBe('Invalid params: ref.uri: there is no resource template …')
  for (const uri of ['x://secret', 'x://{a}', 'x://other']) expect(await complete([], uri)).toBe(nothing)
  expect(await complete(['notes'], 'x://secret')).toMatchObject({ values: ['b'] })
  expect(await complete([], 'y://{a}')).toMatchObject({ values: ['c'] })
})

describe('scopes guard', () => {
  const extended = defineServer({
    name: 's',
    version: '1',
    resources: [{ uri: 'x://a', name: 'a', scopes: ['a'], subscribable: true, read: () => '' }],
    extensions: [
      {
        id: 'com.example/x',
        settings: {},
        handshake: false,
        scopes: ['x:use'],
        methods: { 'x/y': () => ({}) },
      },
    ],
  })

  it('the methods of an extension', async () => {
    const ask = (scopes: readonly string[]) =>
      openAs(extended, { id: 'ann', scopes }).ask('x/y', { _meta: introduction() })
    expect(await ask(['x'])).toMatchObject({ result: {} })
    expect(await ask(['a'])).toMatchObject({ error: { message: 'Insufficient scope: this needs x:use' } })
  })

  it('subscriptions to a resource', async () => {
    const ask = (scopes: readonly string[]) =>
      openAs(extended, { id: 'ann', scopes }).ask('resources/subscribe', { uri: 'x://a' })
    expect(await ask(['a'])).toMatchObject({ result: {} })
    expect(await ask(['x'])).toMatchObject({ error: { message: 'Insufficient scope: this needs a' } })
  })
})
