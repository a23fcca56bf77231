import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { introduction, talk } from '../../test/setup/talk.ts'
import { defineServer } from '../authoring/define-server.ts'
import type { KernelEvent } from './calls/events.ts'
import type { Dialect } from './dialect.ts'
import { Fault, toWire } from './faults.ts'
import { NEWEST_HANDSHAKE } from './revisions/index.ts'

const tools = [{ name: 't', input: { type: 'object', required: ['a'] }, run: () => 'ok' }]
const server = (dialect: Partial<Dialect> = {}, observe: (event: KernelEvent) => void = () => {}) =>
  defineServer({ name: 's', version: '1', tools, dialect, observe })
const initialize = (protocolVersion: unknown = '2025-11-25') =>
  ({ protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } }) as never

it('has other codes where it says so', async () => {
  expect(await talk(server()).ask('tools/list')).toMatchObject({ error: { code: -32600 } })
  const other = server({ codes: { notInitialized: -32002 } })
  expect(await talk(other).ask('tools/list')).toMatchObject({ error: { code: -32002 } })
})

it('answers a ping before the handshake, or not', async () => {
  expect(await talk(server()).ask('ping')).toMatchObject({ result: {} })
  expect(await talk(server({ ping: 'after-initialize' })).ask('ping')).toMatchObject({ error: {} })
})

it('takes a fraction for an id, or refuses it as it does any other that is none', async () => {
  const said = (dialect: Partial<Dialect>, message: object) => {
    const to = talk(server(dialect))
    to.send(JSON.stringify(message))
    return to.heard[0]
  }
  const ping = { jsonrpc: '2.0', id: 1.5, method: 'ping' }
  expect(said({ ids: 'numbers' }, ping)).toEqual({ jsonrpc: '2.0', id: 1.5, result: {} })
  expect(said({}, ping)).toMatchObject({
    id: null,
    error: { code: -32600, message: expect.stringContaining('got the number 1.5') },
  })
  expect(said({ ids: 'numbers' }, { id: 1.5, method: 'ping' })).toMatchObject({ id: 1.5 })
  expect(said({}, { id: 1.5, method: 'ping' })).toMatchObject({ id: null })
})

it('sends log notices below a level, or none before the client asks', async () => {
  const chatty = (logLevel: 'info' | 'off') =>
    talk(
      defineServer({
        name: 's',
        version: '1',
        logLevel,
        tools: [{ name: 't', run: (_args, call) => call.log('emergency', 'x') }],
      }),
      '2025-11-25',
    )
  const asked = chatty('off')
  await asked.ask('tools/call', { name: 't' })
  expect(asked.notices('notifications/message')).toEqual([])
  await asked.ask('logging/setLevel', { level: 'debug' })
  await asked.ask('tools/call', { name: 't' })
  expect(asked.notices('notifications/message')).toHaveLength(1)
  const told = chatty('info')
  await told.ask('tools/call', { name: 't' })
  expect(told.notices('notifications/message')).toHaveLength(1)
})

it('negotiates an unknown version, or refuses it', async () => {
  for (const version of ['1999-01-01', 'draft'])
    expect(await talk(server()).ask('initialize', initialize(version))).toMatchObject({
      result: { protocolVersion: '2025-11-25' },
    })
  const strict = talk(server({ unknownVersion: 'refuse' }))
  expect(await strict.ask('initialize', initialize('1999-01-01'))).toMatchObject({
    error: {
      code: -32602,
      data: { requested: '1999-01-01', supported: expect.arrayContaining(['2024-11-05']) },
    },
  })
  expect(await strict.ask('initialize', initialize())).toMatchObject({ result: {} })
})

it('lets a client begin after initialize, or after it has said initialized', async () => {
  const late = talk(server({ ready: 'after-initialized' }))
  await late.ask('initialize', initialize())
  expect(await late.ask('tools/list')).toMatchObject({
    error: { message: expect.stringContaining('Not ready') },
  })
  expect(await late.ask('ping')).toMatchObject({ result: {} })
  late.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  expect(await late.ask('tools/list')).toMatchObject({ result: {} })
  const early = talk(server())
  await early.ask('initialize', initialize())
  expect(await early.ask('tools/list')).toMatchObject({ result: {} })
})

it('tells of wrong arguments as the revision does, or in one way', async () => {
  const wrong = async (version: string, dialect: Partial<Dialect> = {}) => {
    const { result, error } = await talk(server(dialect), version).ask('tools/call', {
      name: 't',
      arguments: {},
    })
    return result === undefined ? (error as { code: number }).code : (result as { isError: boolean }).isError
  }
  expect(await wrong('2025-06-18')).toBe(-32602)
  expect(await wrong('2025-11-25')).toBe(true)
  expect(await wrong('2025-06-18', { badArguments: 'tool-result' })).toBe(true)
  expect(await wrong('2025-11-25', { badArguments: 'fault' })).toBe(-32602)
})

it('lets a client end the server, or not', async () => {
  let ends = 0
  const ending = server({ exit: 'allowed' })
  ending.exits.add(() => ends++)
  const to = talk(ending, '2025-11-25')
  expect(await to.ask('exit')).toMatchObject({ result: {} })
  to.send({ jsonrpc: '2.0', method: 'exit' })
  await new Promise(setImmediate)
  expect(ends).toBe(2)
  to.heard.length = 0
  to.send({ jsonrpc: '2.0', id: 9, method: 'ping' })
  to.send('nonsense')
  expect(to.heard).toEqual([])
  expect(await talk(server(), '2025-11-25').ask('exit')).toMatchObject({ error: { code: -32601 } })
})

it('finds a prompt by its other name as well, and by neither when it is gone', async () => {
  const prompt = {
    name: 'p',
    otherNames: ['q'],
    arguments: [{ name: 'a', required: true }],
    render: () => 'x',
  }
  const offering = defineServer({ name: 's', version: '1', prompts: [prompt] })
  const to = talk(offering, '2025-11-25')
  const get = () => to.ask('prompts/get', { name: 'q', arguments: { a: '1' } })
  expect(await get()).toMatchObject({ result: {} })
  expect(await to.ask('prompts/list')).toMatchObject({ result: { prompts: [{ name: 'p' }] } })
  expect(await to.ask('prompts/get', { name: 'p' })).toMatchObject({ error: { code: -32602 } })
  offering.prompts.remove('p')
  expect(await get()).toMatchObject({ error: { code: -32602 } })
})

it('reads parameters where they stand', async () => {
  const besides = server({ params: ({ name, params }) => params ?? { name } })
  const to = talk(besides, '2025-11-25')
  to.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', name: 'none' } as never)
  expect(to.heard).toContainEqual({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32602, message: 'Unknown tool: none' },
  })
})

describe('the opening', () => {
  it('happens once where the dialect says so', async () => {
    const to = talk(server({ reopening: 'refused' }), '2025-11-25')
    expect(await to.ask('initialize', initialize())).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('already initialized') },
    })
  })

  it.each([
    ['no params', undefined],
    ['no version', { capabilities: {}, clientInfo: {} }],
    ['a version that is no string', initialize(5)],
    ['no capabilities', { protocolVersion: '2025-11-25', clientInfo: {} }],
    ['no clientInfo', { protocolVersion: '2025-11-25', capabilities: {} }],
  ])('is refused with %s, and may be tried again', async (_name, params) => {
    const to = talk(server())
    expect(await to.ask('initialize', params)).toMatchObject({ error: { code: -32602 } })
    expect(await to.ask('initialize', initialize())).toMatchObject({ result: {} })
  })

  it('may be a handshake although _meta names a handshake revision', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' }
    const reply = await talk(server()).ask('initialize', { ...(initialize() as object), _meta })
    expect(reply).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
  })

  it('does not let anything overtake its answer', () => {
    const to = talk(server({}, (event) => event.kind === 'link-opened' && event.link.log('error', 'opened')))
    to.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize() })
    expect(to.heard.map(({ id, method }) => id ?? method)).toEqual([1, 'notifications/message'])
  })
})

describe('a request of the newest revision', () => {
  const list = (meta: unknown) => talk(server()).ask('tools/list', { _meta: meta as never })

  it.each([
    [
      'a version of a wrong type',
      { 'io.modelcontextprotocol/protocolVersion': 5 },
      -32602,
      'expected a string',
    ],
    [
      'an unknown version',
      { ...introduction(), 'io.modelcontextprotocol/protocolVersion': '1999-01-01' },
      -32022,
      '1999-01-01',
    ],
    [
      'a handshake revision',
      { ...introduction(), 'io.modelcontextprotocol/protocolVersion': '2025-11-25' },
      -32022,
      '2025-11-25',
    ],
    [
      'no capabilities',
      { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
      -32602,
      'expected an object',
    ],
    [
      'an unknown log level',
      introduction({}, { 'io.modelcontextprotocol/logLevel': 'loud' }),
      -32602,
      'expected one of debug',
    ],
    ['a _meta that is no object', 5, -32602, '_meta: expected an object'],
  ])('is refused with %s', async (_name, meta, code, message) => {
    expect(await list(meta)).toMatchObject({ error: { code, message: expect.stringContaining(message) } })
  })

  it('is refused without _meta where only that revision has the method', async () => {
    expect(await talk(server()).ask('server/discover')).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('needs _meta') },
    })
    expect(await talk(server()).ask('no/such')).toMatchObject({ error: { code: -32601 } })
  })

  it('is served whatever its client says of itself', async () => {
    for (const info of [5, {}, { name: 5 }, { name: 'c' }, { name: 'c', version: 5 }]) {
      expect(await list(introduction({}, { 'io.modelcontextprotocol/clientInfo': info }))).toMatchObject({
        result: {},
      })
    }
  })
})

describe('a batch', () => {
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'x' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 't', arguments: { a: 1 } } },
  ]

  it('is answered where the revision has batches', async () => {
    const to = talk(server(), '2025-03-26')
    to.send([...batch, { jsonrpc: '2.0', id: 3, method: 'initialize' }])
    await new Promise(setImmediate)
    expect(to.heard).toMatchObject([
      { id: 1 },
      { id: 2, result: {} },
      { id: 3, error: { message: expect.stringContaining('part of a batch') } },
    ])
    to.heard.length = 0
    to.send([{ jsonrpc: '2.0', method: 'x' }])
    expect(to.heard).toEqual([])
  })

  it('waits for all of its calls', async () => {
    const slow = defineServer({ name: 's', version: '1', tools: [{ name: 'slow', run: async () => 'done' }] })
    const to = talk(slow, '2025-03-26')
    to.send([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'slow' } },
    ])
    expect(to.heard).toEqual([])
    await new Promise(setImmediate)
    expect(to.heard).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  it('is refused by a server with a revision of its own that has none, before its client has said what it speaks', () => {
    const revisions = [{ ...NEWEST_HANDSHAKE, id: 'own-1' }]
    const to = talk(defineServer({ name: 's', version: '1', tools, revisions }))
    to.send(batch)
    expect(to.heard).toMatchObject([
      { error: { code: -32600, message: expect.stringContaining('there are no batches in own-1') } },
    ])
  })

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('is refused elsewhere: %s', (version) => {
    const to = talk(server(), version)
    to.send(batch)
    expect(to.heard).toMatchObject([
      { error: { code: -32600, message: expect.stringContaining('no batches') } },
    ])
    expect(to.heard[0]?.['id'] ?? null).toBe(null)
  })
})

describe('a fault', () => {
  it('has the code of the last who has one', () => {
    const fault = new Fault('resourceNotFound', 'gone', { uri: 'x' })
    expect(toWire(fault)).toEqual({ code: -32002, message: 'gone', data: { uri: 'x' } })
    expect(toWire(fault, { resourceNotFound: 1 }, { unknownTool: 2 })).toMatchObject({ code: 1 })
    expect(toWire(fault, { resourceNotFound: 1 }, { resourceNotFound: 3 })).toMatchObject({ code: 3 })
  })

  it('is told of any other error without its details', () => {
    expect(toWire(new Error('secret'))).toEqual({ code: -32603, message: 'Internal error' })
    expect(toWire('secret')).toEqual({ code: -32603, message: 'Internal error' })
  })
})

describe('the observer', () => {
  it('is told of what is refused, unreadable and broken', async () => {
    const events: string[] = []
    const broken = defineServer({
      name: 's',
      version: '1',
      prompts: [{ name: 'p', render: () => 5 }],
      observe: ({ kind }) => events.push(kind),
    })
    const to = talk(broken)
    await to.ask('prompts/list')
    to.send('nonsense')
    await to.ask('initialize', initialize())
    await to.ask('prompts/get', { name: 'p' })
    to.close()
    expect(events).toEqual(['refused', 'unreadable', 'link-opened', 'crashed', 'link-closed'])
  })

  it('may fail without harm to the message it was told of', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => said.mockRestore())
    const failing = server({}, () => {
      throw new Error('an observer that fails')
    })
    for (let times = 0; times < 3; times++)
      expect(await talk(failing).ask('tools/list')).toMatchObject({ error: { code: -32600 } })
    expect(said).toHaveBeenCalledOnce()
    expect(String(said.mock.calls[0]?.[0])).toContain('an observer that fails')
  })
})
