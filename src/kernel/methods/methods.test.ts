import { describe, expect, it } from 'vitest'
import { introduction, type Talk, talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { listRoots, needs } from '../asking/needs.ts'
import type { ResourceDefinition, ResourceTemplateDefinition } from '../definitions/resource.ts'
import type { ToolDefinition } from '../definitions/tool.ts'
import { Fault } from '../faults.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { NEWEST_HANDSHAKE } from '../revisions/index.ts'

const NEW = '2025-11-25'
const contentsOf = (reply: JsonObject) => (reply['result'] as JsonObject)['contents']
const tool = (name: string, run: () => unknown, more: object = {}): ToolDefinition => ({ name, run, ...more })

describe('tools', () => {
  const server = (more: object = {}) =>
    defineServer({
      name: 's',
      version: '1',
      ...more,
      tools: [
        tool('fault', () => {
          throw new Fault('invalidParams', 'Wrong, said the tool', { field: 'x' })
        }),
        tool('throw', () => {
          throw new Error('broken')
        }),
        tool('slip', () => (undefined as unknown as { member: string }).member),
        tool('slip_later', async () => 'x'.repeat(-1)),
        tool('no_file', () => {
          throw Object.assign(new Error("ENOENT: no such file '/etc/hidden'"), { code: 'ENOENT' })
        }),
        tool('own_class', () => {
          throw new (class NotFound extends Error {})('there is no such page')
        }),
        tool('throw_later', async () => {
          throw 'a string'
        }),
        tool('checked', () => ({ n: 1 }), {
          output: { type: 'object', properties: { n: { type: 'number' } } },
        }),
        tool('unchecked', async () => ({ n: 'one' }), {
          output: { type: 'object', properties: { n: { type: 'number' } } },
        }),
        tool('failed', () => ({ isError: true }), { output: { type: 'object', required: ['n'] } }),
        tool('list', () => [1, 2], { output: { type: 'array' } }),
        tool('meta', () => ({ content: [], _meta: { a: 1 } })),
        tool('asynchronous_schema', () => ({ n: 1 }), {
          input: asynchronous('input'),
          output: asynchronous('output'),
        }),
      ],
    })
  const call = (to: Talk, name: string, args: JsonObject = {}) =>
    to.ask('tools/call', { name, arguments: args })

  /** A schema whose library answers later. */
  function asynchronous(use: string) {
    const validate = async (value: unknown) =>
      isObject(value) && value['bad'] !== use
        ? { value }
        : { issues: [{ message: 'expected better', path: ['bad'] }] }
    const jsonSchema = { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) }
    return { '~standard': { version: 1, vendor: 'test', validate, jsonSchema } }
  }

  it('tell the model what they threw, unless it is a Fault', async () => {
    const to = talk(server(), NEW)
    expect(await call(to, 'throw')).toMatchObject({
      result: { isError: true, content: [{ text: 'broken' }] },
    })
    expect(await call(to, 'throw_later')).toMatchObject({
      result: { isError: true, content: [{ text: 'a string' }] },
    })
    expect(await call(to, 'fault')).toMatchObject({
      error: { code: -32602, message: 'Wrong, said the tool', data: { field: 'x' } },
    })
  })

  it.each(['slip', 'slip_later', 'no_file'])(
    'keep to themselves what went wrong inside: %s',
    async (name) => {
      expect(await call(talk(server(), NEW), name)).toMatchObject({
        result: { isError: true, content: [{ text: 'Internal error' }] },
      })
      const debugged = talk(server({ debug: true }), NEW)
      expect(await call(debugged, name)).not.toMatchObject({
        result: { content: [{ text: 'Internal error' }] },
      })
    },
  )

  it('tell the model what an error of their own says', async () => {
    expect(await call(talk(server(), NEW), 'own_class')).toMatchObject({
      result: { isError: true, content: [{ text: 'there is no such page' }] },
    })
  })

  it('have their output checked, unless it is an error', async () => {
    const to = talk(server(), NEW)
    expect(await call(to, 'checked')).toMatchObject({ result: { structuredContent: { n: 1 } } })
    expect(await call(to, 'unchecked')).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('n: expected a number, got the string "one"') },
    })
    expect(await call(to, 'failed')).toMatchObject({ result: { isError: true } })
  })

  it('give structured content as far as the revision can carry it', async () => {
    for (const [version, carried] of [
      ['2025-03-26', [false, false]],
      ['2025-06-18', [true, false]],
    ] as const) {
      const to = talk(server(), version)
      const replies = [await call(to, 'checked'), await call(to, 'list')]
      expect(replies.map(({ result }) => 'structuredContent' in (result as object))).toEqual(carried)
    }
    const newest = await talk(server()).ask('tools/call', { name: 'list', _meta: introduction() })
    expect(newest).toMatchObject({ result: { structuredContent: [1, 2] } })
  })

  it('keep the _meta of their results', async () => {
    expect(await call(talk(server(), NEW), 'meta')).toMatchObject({ result: { _meta: { a: 1 } } })
  })

  it('may have schemas that are read asynchronously', async () => {
    const to = talk(server(), NEW)
    expect(await call(to, 'asynchronous_schema')).toMatchObject({ result: { structuredContent: { n: 1 } } })
    expect(await call(to, 'asynchronous_schema', { bad: 'input' })).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('bad: expected better') }] },
    })
  })

  it('that are unknown, nameless or called with no object are refused', async () => {
    const to = talk(server(), NEW)
    expect(await call(to, '__proto__')).toMatchObject({
      error: { code: -32602, message: 'Unknown tool: __proto__' },
    })
    expect(await to.ask('tools/call', {})).toMatchObject({
      error: { code: -32602, message: 'Invalid params: name: expected a string, got nothing' },
    })
    expect(await to.ask('tools/call')).toMatchObject({ error: { code: -32602 } })
    expect(await to.ask('tools/call', { name: 'meta', arguments: [] })).toMatchObject({
      error: { code: -32602, message: 'Invalid params: arguments: expected an object, got an array' },
    })
    expect(await to.ask('tools/list', { cursor: 5 })).toMatchObject({ error: { code: -32602 } })
  })

  it.each([
    [undefined, 'A tool must be an object, got nothing'],
    [{ run: () => '' }, 'A tool needs a name: expected a string, got nothing'],
    [{ name: 't' }, 'The tool t needs a function run(), got nothing'],
    [tool('not a name', () => ''), 'use 1 to 128 of'],
    [tool('t', () => '', { input: 5 }), 'expected a JSON Schema or a Standard Schema, got the number 5'],
    [tool('t', () => '', { input: { type: 'string' } }), 'its input must be a schema of an object'],
  ])('that are defined wrongly are refused at the start: %j', (wrong, message) => {
    expect(() => defineServer({ name: 's', version: '1', tools: [wrong as never] })).toThrow(message)
  })
})

describe('resources', () => {
  const resource = (uri: string, read: () => unknown, more: object = {}): ResourceDefinition => ({
    uri,
    name: uri,
    read,
    ...more,
  })
  const server = () =>
    defineServer({
      name: 's',
      version: '1',
      resources: [
        resource('x://text', () => 'text', { mimeType: 'text/plain' }),
        resource('x://bytes', () => new Uint8Array(10_000).fill(255), { subscribable: true }),
        resource('x://json', () => ({ a: 1 })),
        resource('x://own', () => ({ text: 'own', mimeType: 'text/own', uri: 'x://other' })),
        resource('x://many', async () => ['one', { blob: 'AA==' }]),
        resource('x://gone', () => undefined),
        resource('x://ask', () => needs({ roots: listRoots() })),
        resource('x://cached', () => 'kept', { cache: { ttlMs: 5, cacheScope: 'public' } }),
      ],
      templates: [
        {
          uriTemplate: 'x://item/{id}',
          name: 'item',
          subscribable: true,
          read: (({ id }: { id: string }) => (id === '0' ? undefined : `item ${id}`)) as never,
        },
      ],
    })
  const read = (to: Talk, uri: string) => to.ask('resources/read', { uri })
  const template = (uriTemplate: string, more: object = {}): ResourceTemplateDefinition => ({
    uriTemplate,
    name: 't',
    read: () => '',
    ...more,
  })

  it('are text, bytes, JSON or contents of their own', async () => {
    const to = talk(server(), NEW)
    expect(contentsOf(await read(to, 'x://text'))).toEqual([
      { uri: 'x://text', mimeType: 'text/plain', text: 'text' },
    ])
    const [bytes] = contentsOf(await read(to, 'x://bytes')) as { blob: string }[]
    expect(Buffer.from(bytes?.blob ?? '', 'base64')).toEqual(Buffer.alloc(10_000, 255))
    expect(contentsOf(await read(to, 'x://json'))).toEqual([
      { uri: 'x://json', mimeType: 'application/json', text: '{"a":1}' },
    ])
    expect(contentsOf(await read(to, 'x://own'))).toEqual([
      { uri: 'x://other', mimeType: 'text/own', text: 'own' },
    ])
    expect(contentsOf(await read(to, 'x://many'))).toEqual([
      { uri: 'x://many', text: 'one' },
      { uri: 'x://many', blob: 'AA==' },
    ])
    expect(contentsOf(await read(to, 'x://item/7'))).toEqual([{ uri: 'x://item/7', text: 'item 7' }])
  })

  it('that are not there are said not to be', async () => {
    const to = talk(server(), NEW)
    for (const uri of ['x://nothing', 'x://gone', 'x://item/0']) {
      expect(await read(to, uri)).toMatchObject({ error: { code: -32002, data: { uri } } })
    }
    for (const uri of ['__proto__', 'no uri', '']) {
      const expected = expect.stringContaining('uri: expected an absolute URI')
      expect(await read(to, uri)).toMatchObject({ error: { code: -32602, message: expected } })
    }
    const newest = await talk(server()).ask('resources/read', { uri: 'x://gone', _meta: introduction() })
    expect(newest).toMatchObject({ error: { code: -32602 } })
  })

  it('may ask, and say how long they keep', async () => {
    const to = talk(server())
    const _meta = introduction({ roots: {} })
    expect(await to.ask('resources/read', { uri: 'x://ask', _meta })).toMatchObject({
      result: { resultType: 'input_required' },
    })
    expect(await to.ask('resources/read', { uri: 'x://cached', _meta })).toMatchObject({
      result: { ttlMs: 5 },
    })
    expect(await to.ask('resources/read', { uri: 'x://text', _meta })).toMatchObject({ result: { ttlMs: 0 } })
  })

  it('are subscribed to one by one, if they can be', async () => {
    const shared = server()
    const to = talk(shared, NEW)
    expect(await to.ask('resources/subscribe', { uri: 'x://text' })).toMatchObject({
      error: { code: -32002 },
    })
    await to.ask('resources/subscribe', { uri: 'x://bytes' })
    await to.ask('resources/subscribe', { uri: 'x://item/1' })
    for (const uri of ['x://bytes', 'x://item/1', 'x://item/2']) shared.updated(uri)
    await to.ask('resources/unsubscribe', { uri: 'x://bytes' })
    shared.updated('x://bytes')
    expect(to.notices('notifications/resources/updated').map(({ params }) => params)).toEqual([
      { uri: 'x://bytes' },
      { uri: 'x://item/1' },
    ])
    to.close()
    shared.updated('x://item/1')
    expect(shared.listeners.size).toBe(0)
  })

  it.each([
    [{ resources: [resource('relative', () => '')] }, 'its uri must be an absolute URI'],
    [{ templates: [template('x://{')] }, 'Not a URI template'],
    [
      { templates: [template('x://{a}', { complete: { b: () => [] } })] },
      'completes b, which it does not have',
    ],
  ])('that are defined wrongly are refused at the start', (offers, message) => {
    expect(() => defineServer({ name: 's', version: '1', ...offers })).toThrow(message)
  })
})

describe('prompts', () => {
  const prompt = (name: string, render: (args: Record<string, string>) => unknown, more: object = {}) =>
    ({ name, render, ...more }) as never
  const message = { role: 'user', content: { type: 'text', text: 'hi' } }
  const server = () =>
    defineServer({
      name: 's',
      version: '1',
      prompts: [
        prompt('text', ({ a, b }) => `${a} ${b}`, {
          description: 'Two words',
          arguments: [{ name: 'a', required: true }, { name: 'b' }],
        }),
        prompt('list', () => [message]),
        prompt('whole', async () => ({ description: 'other', messages: [message], _meta: { a: 1 } })),
        prompt('wrong', () => 5),
        prompt('ask', () => needs({ roots: listRoots() })),
      ],
    })
  const get = (to: Talk, name: string, args?: JsonObject) =>
    to.ask('prompts/get', { name, ...(args !== undefined && { arguments: args }) })

  it('are a string, a list of messages or a whole', async () => {
    const to = talk(server(), NEW)
    expect(await get(to, 'text', { a: 'x', b: 'y' })).toMatchObject({
      result: {
        description: 'Two words',
        messages: [{ role: 'user', content: { type: 'text', text: 'x y' } }],
      },
    })
    expect(await get(to, 'list')).toMatchObject({ result: { messages: [message] } })
    expect(await get(to, 'whole')).toMatchObject({ result: { description: 'other', _meta: { a: 1 } } })
    expect(await get(to, 'wrong')).toMatchObject({ error: { code: -32603, message: 'Internal error' } })
    const asking = await talk(server()).ask('prompts/get', {
      name: 'ask',
      _meta: introduction({ roots: {} }),
    })
    expect(asking).toMatchObject({ result: { resultType: 'input_required' } })
  })

  it('say everything that is wrong with their arguments', async () => {
    const to = talk(server(), NEW)
    expect(await get(to, 'text', { b: 5, c: null })).toMatchObject({
      error: {
        code: -32602,
        message:
          'Invalid params for prompt text: b: expected a string, got the number 5; c: expected a string, got null; missing required argument a',
      },
    })
    expect(await get(to, 'toString')).toMatchObject({
      error: { code: -32602, message: 'Unknown prompt: toString' },
    })
  })
})

describe('completion', () => {
  const words = Array.from({ length: 150 }, (_, index) => `word${index}`)
  const server = () =>
    defineServer({
      name: 's',
      version: '1',
      resources: [{ uri: 'x://plain', name: 'plain', read: () => '' }],
      templates: [
        {
          uriTemplate: 'x://{kind}/{id}',
          name: 't',
          complete: { id: async (value, { kind }) => [`${kind}-${value}`] },
          read: () => '',
        },
      ],
      prompts: [
        {
          name: 'p',
          arguments: [{ name: 'a' }, { name: 'b' }],
          complete: { a: (value: string) => words.filter((word) => word.startsWith(value)) },
          render: () => '',
        } as never,
      ],
    })
  const complete = (to: Talk, ref: JsonObject, name: string, value: string, more: JsonObject = {}) =>
    to.ask('completion/complete', { ref, argument: { name, value }, ...more })

  it('gives at most a hundred values, and says how many there are', async () => {
    const reply = await complete(talk(server(), NEW), { type: 'ref/prompt', name: 'p' }, 'a', 'w')
    expect(reply).toMatchObject({ result: { completion: { total: 150, hasMore: true } } })
    expect((reply['result'] as { completion: { values: unknown[] } }).completion.values).toHaveLength(100)
  })

  it('says that there are no more than a hundred where there are just as many', async () => {
    const complete = { a: () => Array.from({ length: 100 }, (_, number) => `${number}`) }
    const prompt = { name: 'p', arguments: [{ name: 'a' }], complete, render: () => '' }
    const to = talk(defineServer({ name: 's', version: '1', prompts: [prompt] }), NEW)
    const asked = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }
    expect(await to.ask('completion/complete', asked)).toMatchObject({
      result: { completion: { total: 100, hasMore: false } },
    })
  })

  it('knows templates by their text and by a URI they match, and what was chosen before', async () => {
    const to = talk(server(), NEW)
    const context = { arguments: { kind: 'book' } }
    for (const uri of ['x://{kind}/{id}', 'x://book/1']) {
      expect(await complete(to, { type: 'ref/resource', uri }, 'id', '1', { context })).toMatchObject({
        result: { completion: { values: ['book-1'], total: 1, hasMore: false } },
      })
    }
  })

  it('has no suggestions where nobody wrote any', async () => {
    const to = talk(server(), NEW)
    const none = { result: { completion: { values: [] } } }
    expect(await complete(to, { type: 'ref/prompt', name: 'p' }, 'b', '')).toMatchObject(none)
    expect(await complete(to, { type: 'ref/resource', uri: 'x://plain' }, 'a', '')).toMatchObject(none)
    expect(await complete(to, { type: 'ref/resource', uri: 'x://{kind}/{id}' }, 'kind', '')).toMatchObject(
      none,
    )
  })

  it.each([
    [{ type: 'ref/prompt', name: 'other' }, 'a', 'Unknown prompt: other'],
    [{ type: 'ref/prompt', name: 'p' }, 'c', 'the prompt p has no argument c'],
    [{ type: 'ref/resource', uri: 'y://1' }, 'a', 'there is no resource template y://1'],
    [{ type: 'ref/resource', uri: 'x://{kind}/{id}' }, '__proto__', 'has no argument __proto__'],
    [{ type: 'ref/other' }, 'a', 'type: expected one of ref/prompt, ref/resource'],
  ])('refuses %j', async (ref, name, message) => {
    expect(await complete(talk(server(), NEW), ref, name, '')).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(message) },
    })
  })
})

describe('subscriptions/listen', () => {
  const server = () =>
    defineServer({
      name: 's',
      version: '1',
      tools: [],
      prompts: [],
      resources: [{ uri: 'x://a', name: 'a', subscribable: true, read: () => '' }],
    })
  const listen = (to: Talk, id: string, notifications: unknown) =>
    to.send({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: { notifications, _meta: introduction() },
    } as JsonObject)
  const all = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['x://a', 'x://b'],
  }

  it('acknowledges what it can honour, tells of it, and ends with the server', async () => {
    const shared = server()
    const to = talk(shared)
    listen(to, 'l', all)
    const [acknowledged] = to.notices('notifications/subscriptions/acknowledged')
    expect(acknowledged?.['params']).toMatchObject({
      notifications: { ...all, resourceSubscriptions: ['x://a'] },
    })
    shared.tools.add({ name: 't', run: () => '' })
    shared.updated('x://a')
    shared.updated('x://b')
    await new Promise(setImmediate)
    expect(to.notices('notifications/tools/list_changed')).toHaveLength(1)
    expect(to.notices('notifications/resources/updated')).toHaveLength(1)
    shared.end()
    await new Promise(setImmediate)
    expect(to.heard.at(-1)).toMatchObject({ id: 'l', result: { resultType: 'complete' } })
    expect(shared.listeners.size).toBe(0)
  })

  it('tells nothing that was not asked for, and nothing after it was cancelled', async () => {
    const shared = server()
    const to = talk(shared)
    listen(to, 'l', { promptsListChanged: true })
    shared.tools.add({ name: 't', run: () => '' })
    await new Promise(setImmediate)
    to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'l' } })
    shared.prompts.add({ name: 'p', render: () => '' })
    await new Promise(setImmediate)
    expect(to.heard).toHaveLength(1)
    expect(shared.listeners.size).toBe(0)
  })

  it('refuses a filter that is none', async () => {
    const to = talk(server())
    listen(to, 'l', 5)
    listen(to, 'm', { resourceSubscriptions: [5] })
    await new Promise(setImmediate)
    expect(to.heard).toMatchObject([
      { id: 'l', error: { code: -32602 } },
      { id: 'm', error: { code: -32602 } },
    ])
  })
})

describe('capabilities', () => {
  const capabilitiesOf = async (definition: object, version: string) => {
    const to = talk(defineServer({ name: 's', version: '1', ...definition }))
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
    const { result } = await to.ask('initialize', params)
    return (result as JsonObject)['capabilities']
  }
  const completing = [{ name: 'p', arguments: [{ name: 'a' }], complete: { a: () => [] }, render: () => '' }]

  it('are those of what is offered', async () => {
    expect(await capabilitiesOf({}, NEW)).toEqual({ logging: {} })
    expect(await capabilitiesOf({ tools: [], prompts: [], resources: [] }, NEW)).toEqual({
      logging: {},
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: false },
    })
    const watched = [{ uri: 'x://a', name: 'a', subscribable: true, read: () => '' }]
    expect(await capabilitiesOf({ resources: watched }, NEW)).toMatchObject({
      resources: { subscribe: true },
    })
    const template = [{ uriTemplate: 'x://{a}', name: 'a', subscribable: true, read: () => '' }]
    expect(await capabilitiesOf({ templates: template }, NEW)).toMatchObject({
      resources: { subscribe: true },
    })
    expect(await capabilitiesOf({ prompts: completing }, NEW)).toMatchObject({ completions: {} })
  })

  it('have the words of the revision', async () => {
    expect(await capabilitiesOf({ prompts: completing }, '2024-11-05')).not.toHaveProperty('completions')
  })

  it('are told to a client that makes no handshake, with how long they keep', async () => {
    const shared = defineServer({ name: 's', version: '1', tools: [], instructions: 'Be kind' })
    expect(await talk(shared).ask('server/discover', { _meta: introduction() })).toMatchObject({
      result: {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        instructions: 'Be kind',
        ttlMs: 60_000,
      },
    })
  })

  it('decide which methods there are', async () => {
    const to = talk(defineServer({ name: 's', version: '1' }), NEW)
    for (const method of [
      'tools/list',
      'tools/call',
      'prompts/get',
      'resources/read',
      'resources/subscribe',
      'completion/complete',
      'server/discover',
      'constructor',
      'exit',
    ]) {
      expect(await to.ask(method)).toMatchObject({
        error: { code: -32601, message: `Method not found: ${method}` },
      })
    }
  })
})

it('keeps stacks to itself unless it is told to show them', async () => {
  const revision = { ...NEWEST_HANDSHAKE, id: 'own-1', failedTools: 'fault' } as const
  const tools = [
    tool('throw', () => {
      throw new Error('broken')
    }),
    tool('failed', () => ({
      content: [
        { type: 'text', text: 'no' },
        { type: 'image', data: '', mimeType: 'image/png' },
      ],
      isError: true,
    })),
  ]
  const behind = {
    relayed: { name: 'behind', inputSchema: { type: 'object' } },
    answer: async () => ({ content: [{ type: 'text', text: 'not there' }], isError: true }),
  }
  const dataOf = async (settings: { debug?: boolean }, name = 'throw') => {
    const own = defineServer({
      name: 's',
      version: '1',
      revisions: [revision],
      tools: [...tools, behind as never],
      ...settings,
    })
    const { error } = await talk(own, 'own-1').ask('tools/call', { name, arguments: {} })
    return (error as { data: JsonObject }).data
  }
  expect(await dataOf({})).toEqual({ tool: 'throw', error: 'broken' })
  expect(await dataOf({}, 'failed')).toEqual({ tool: 'failed', error: 'no\n[image]' })
  expect(await dataOf({}, 'behind')).toEqual({ tool: 'behind', error: 'not there' })
  expect(await dataOf({ debug: true })).toMatchObject({ stacktrace: expect.stringContaining('methods.test') })
})
