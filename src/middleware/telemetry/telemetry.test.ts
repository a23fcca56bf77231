import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { receive } from '../../../test/setup/receive.ts'
import { introduction, talk } from '../../../test/setup/talk.ts'
import { handClock, keep, sample } from '../../../test/telemetry/telemetry-sample.ts'
import { Fault, type Middleware, parse } from '../../kernel/index.ts'
import { timeout } from '../timeout.ts'
import { type Sink, telemetry } from './index.ts'
import { messageOf, type TelemetryRecord } from './records.ts'

const VERSION = '2025-11-25'

const kinds = (records: readonly TelemetryRecord[]) => records.map(({ kind }) => kind)

it('tells a request received, its tool invoked and the request completed', async () => {
  const sink = keep()
  const clock = handClock()
  const server = sample([sink], {
    clock,
    run: () => {
      clock.at += 12.3456
      return 'done'
    },
  })
  const to = talk(server, VERSION)
  sink.records.length = 0
  await to.ask('tools/call', { name: 'run', arguments: { a: 1 } })
  const about = { id: 'q1', tool: 'run' }
  const request = { ...about, method: 'tools/call', prompt: undefined, uri: undefined, unknown: undefined }
  const time = Date.UTC(2026, 0, 1)
  const ended = { time: time + 12.3456, durationMs: 12.346, outcome: 'ok' }
  expect(sink.records).toEqual([
    { kind: 'received', time, ...request },
    { kind: 'invoked', ...about, ...ended, arguments: undefined, result: undefined },
    { kind: 'completed', ...request, ...ended, protocol: VERSION },
  ])
})

it('tells how long the tool worked, and how long the request took', async () => {
  const sink = keep()
  const clock = handClock()
  const slow: Middleware = (call, next) => {
    clock.at += 5
    const result = next(call)
    clock.at += 3
    return result
  }
  const run = () => {
    clock.at += 2
  }
  const server = sample([sink], { clock, middleware: [slow], run })
  await talk(server, VERSION).ask('tools/call', { name: 'run' })
  expect(sink.records.slice(-2)).toMatchObject([
    { kind: 'invoked', durationMs: 2 },
    { kind: 'completed', durationMs: 10 },
  ])
})

it('tells how long a tool worked that took its time', async () => {
  const sink = keep()
  const clock = handClock()
  const server = sample([sink], {
    clock,
    run: async () => {
      await new Promise(setImmediate)
      clock.at += 7
    },
  })
  await talk(server, VERSION).ask('tools/call', { name: 'run' })
  expect(sink.records.slice(-2)).toMatchObject([
    { kind: 'invoked', durationMs: 7 },
    { kind: 'completed', durationMs: 7 },
  ])
})

it.each([
  ['a tool that does not exist', { name: 'nothing' }],
  ['a tool whose arguments do not fit', { name: 'picky', arguments: { n: 'x' } }],
])('does not tell of an invocation of %s', async (_name, params) => {
  const sink = keep()
  await talk(sample([sink]), VERSION).ask('tools/call', params)
  expect(kinds(sink.records).slice(-2)).toEqual(['received', 'completed'])
})

it('gives every sink the same records', async () => {
  const [one, other] = [keep(), keep()]
  await talk(sample([one, other]), VERSION).ask('tools/list')
  expect(one.records.length).toBeGreaterThan(0)
  expect(one.records.every((record, at) => record === other.records[at])).toBe(true)
})

describe('an outcome', () => {
  it.each([
    ['echo', { outcome: 'ok' }],
    ['later', { outcome: 'ok' }],
    ['broken', { outcome: 'tool_error' }],
    ['refusing', { outcome: 'error', code: -32602, message: 'Invalid params' }],
  ])('of the tool %s is told', async (name, ending) => {
    const sink = keep()
    await talk(sample([sink]), VERSION).ask('tools/call', { name })
    expect(sink.records.filter(({ kind }) => kind === 'invoked')).toMatchObject([{ tool: name, ...ending }])
    expect(sink.records.at(-1)).toMatchObject({ kind: 'completed', tool: name, ...ending })
  })

  it('has the code that the client is told', async () => {
    const sink = keep()
    const server = sample([sink])
    Object.assign(server, { dialect: { ...server.dialect, codes: { unknownTool: -32000 } } })
    const reply = await talk(server, VERSION).ask('tools/call', { name: 'nothing' })
    expect(reply).toMatchObject({ error: { code: -32000 } })
    expect(sink.records.at(-1)).toMatchObject({ code: -32000 })
  })

  it('of a method that fails on our side is an internal error, and the crash is told in its words unless they are withheld', async () => {
    const sink = keep()
    const broken = () => {
      throw new RangeError('the key is sk-1')
    }
    const told = keep()
    await talk(sample([told], { middleware: [broken] })).ask('tools/list', { _meta: introduction() })
    expect(told.records.at(-1)).toMatchObject({ message: 'RangeError: the key is sk-1' })
    const to = talk(sample([sink], { middleware: [broken], errorMessages: 'withheld' }))
    await to.ask('tools/list', { _meta: introduction() })
    expect(sink.records.slice(-2)).toMatchObject([
      { kind: 'completed', outcome: 'error', code: -32603, message: 'Internal error' },
      { kind: 'crashed', method: 'tools/list', error: 'RangeError', message: undefined },
    ])
    expect(JSON.stringify(sink.records)).not.toContain('sk-1')
  })

  it('of a tool that was still at work is that it had worked for so long', async () => {
    const sink = keep()
    const clock = handClock()
    const to = talk(sample([sink], { clock, run: () => new Promise(() => {}) }), VERSION)
    to.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'run' } })
    clock.at += 4
    to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
    const ended = { outcome: 'cancelled', durationMs: 4 }
    expect(sink.records.slice(-2)).toMatchObject([
      { kind: 'invoked', ...ended },
      { kind: 'completed', ...ended },
    ])
  })

  it('of a cancelled call is told when it is cancelled, and once', async () => {
    const sink = keep()
    let finish: (text: string) => void = () => {}
    const server = sample([sink], { run: () => new Promise((resolve) => (finish = resolve)) })
    const to = talk(server, VERSION)
    to.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'run' } })
    to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
    expect(sink.records.at(-1)).toMatchObject({ kind: 'completed', id: 7, outcome: 'cancelled' })
    finish('too late')
    await to.ask('ping')
    expect(sink.records.filter((record) => 'id' in record && record.id === 7)).toHaveLength(3)
  })

  it('of a subscription that its client ends is told', async () => {
    const sink = keep()
    const to = talk(sample([sink]))
    const params = { notifications: { toolsListChanged: true }, _meta: introduction() }
    to.send({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params })
    expect(kinds(sink.records)).toEqual(['received'])
    to.close()
    expect(sink.records.at(-1)).toMatchObject({ method: 'subscriptions/listen', outcome: 'cancelled' })
  })

  it('of a call that is stopped is the answer it still gets', async () => {
    const sink = keep()
    const to = talk(sample([sink], { middleware: [timeout({ ms: 1 })] }), VERSION)
    to.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'endless' } })
    await expect.poll(() => sink.records.at(-1)).toMatchObject({ kind: 'completed' })
    expect(sink.records.at(-1)).toMatchObject({ outcome: 'tool_error' })
  })
})

describe('what a request is about', () => {
  it.each([
    ['prompts/get', { name: 'greet' }, { prompt: 'greet', unknown: undefined }],
    ['prompts/get', { name: 'none' }, { prompt: 'none', unknown: 'target' }],
    ['tools/call', { name: 'none' }, { tool: 'none', unknown: 'target' }],
    ['tools/call', { name: 5 }, { tool: undefined, unknown: undefined }],
    ['resources/read', { uri: 'memo://one' }, { uri: 'memo://one', unknown: undefined }],
    ['resources/read', { uri: 'db://me:pw@h/t?token=1&n=2' }, { uri: 'db://[redacted]@h/t?…' }],
    ['no/such', { name: 'x', uri: 'y:z' }, { tool: undefined, uri: undefined, unknown: 'method' }],
    [`m${'x'.repeat(500)}`, {}, { method: `m${'x'.repeat(127)}…`, unknown: 'method' }],
  ])('is read from %s %j', async (method, params, expected) => {
    const sink = keep()
    await talk(sample([sink]), VERSION).ask(method, params)
    expect(sink.records.findLast(({ kind }) => kind === 'completed')).toMatchObject(expected)
  })
})

describe('beside the calls', () => {
  it('tells refused requests and what was no message', async () => {
    const sink = keep()
    const to = talk(sample([sink]))
    await to.ask('tools/call', { name: 'echo' })
    to.send('{"jsonrpc": "secret')
    expect(sink.records).toMatchObject([
      { kind: 'received', method: 'tools/call', id: 'q1', tool: 'echo' },
      { kind: 'completed', method: 'tools/call', id: 'q1', outcome: 'error', code: -32600, durationMs: 0 },
      { kind: 'unreadable', code: -32700, message: 'Parse error' },
    ])
  })

  it('tells a refused request with the code that the client is told', async () => {
    const sink = keep()
    const server = sample([sink])
    Object.assign(server, { dialect: { ...server.dialect, codes: { notInitialized: -32003 } } })
    await expect(talk(server).ask('tools/list')).resolves.toMatchObject({ error: { code: -32003 } })
    expect(sink.records).toMatchObject([
      { kind: 'received', method: 'tools/list' },
      { kind: 'completed', method: 'tools/list', code: -32003 },
    ])
  })

  it.each([
    [
      { jsonrpc: '1.0', id: 3, method: 'tools/call', params: { name: 'echo' } },
      {
        code: -32600,
        method: 'tools/call',
        id: 3,
        tool: 'echo',
        message: 'Invalid request: jsonrpc must be "2.0"',
      },
    ],
    [
      { jsonrpc: '2.0', id: 4, method: 'tools/list', params: ['private'] },
      { code: -32602, method: 'tools/list', id: 4, message: 'Invalid params: expected an object' },
    ],
    [
      { jsonrpc: '2.0', id: 5, method: 'logging/setLevel', params: { level: 'private' } },
      {
        method: 'logging/setLevel',
        id: 5,
        message: expect.stringMatching(/^Invalid params: level: expected one of .*emergency$/),
      },
    ],
    [
      { jsonrpc: '2.0', id: 6, method: 'tools/call', params: { name: 7 } },
      { method: 'tools/call', id: 6, message: 'Invalid params: name: expected a string' },
    ],
  ])('tells what was wrong with %j, and not what came instead', async (message, expected) => {
    const sink = keep()
    const to = talk(sample([sink]), VERSION)
    sink.records.length = 0
    to.send(message)
    const { id, method } = message
    await expect
      .poll(() => sink.records)
      .toMatchObject([
        { kind: 'received', id, method },
        { kind: 'completed', outcome: 'error', ...expected },
      ])
  })

  it('tells that an id is taken', async () => {
    const sink = keep()
    const to = talk(sample([sink]), VERSION)
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'endless' } }
    to.send(call)
    to.send(call)
    await expect
      .poll(() => sink.records.at(-1))
      .toMatchObject({
        kind: 'completed',
        id: 1,
        message: 'Invalid request: a call with this id is still under way',
      })
  })

  it('tells when a session opens and closes, and how long it was', () => {
    const sink = keep()
    const clock = handClock()
    const to = talk(sample([sink], { clock }), VERSION)
    clock.at = 1500
    to.close()
    expect(sink.records).toMatchObject([
      { kind: 'received', method: 'initialize' },
      { kind: 'opened', protocol: VERSION, client: 'test 1' },
      { kind: 'completed', method: 'initialize', protocol: VERSION },
      { kind: 'closed', protocol: VERSION, durationMs: 1500 },
    ])
  })

  it('tells of no session where there was no handshake', async () => {
    const sink = keep()
    const to = talk(sample([sink]))
    await to.ask('tools/list', { _meta: introduction() })
    to.close()
    expect(kinds(sink.records)).toEqual(['received', 'completed'])
  })
})

describe('a call', () => {
  const open = { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  const request = (id: number, method: string, params: object) =>
    parse(JSON.stringify({ jsonrpc: '2.0', id, method, params }))

  it('that is synchronous stays so', () => {
    const server = sample([keep(), keep('error')])
    const link = server.open({ outlet: { send() {} } })
    void receive(link, request(1, 'initialize', open))
    for (const name of ['echo', 'broken', 'refusing', 'nothing']) {
      expect(receive(link, request(2, 'tools/call', { name }))).not.toBeInstanceOf(Promise)
    }
  })

  it('is told to nobody who does not want to hear of it', () => {
    const sink = keep('error')
    const now = vi.fn(() => 0)
    const server = sample([sink], { clock: { now, ticks: () => 0 } })
    const link = server.open({ outlet: { send() {} } })
    void receive(link, request(1, 'initialize', open))
    now.mockClear()
    void receive(link, request(2, 'tools/call', { name: 'echo' }))
    expect(now).not.toHaveBeenCalled()
    void receive(link, request(3, 'tools/call', { name: 'nothing' }))
    expect(kinds(sink.records)).toEqual(['completed'])
  })

  it.each<[string, () => void]>([
    ['with an Error', () => throwing(new Error('disk full'))],
    ['with something else', () => throwing('disk full')],
    ['later', (() => Promise.reject(new Error('disk full'))) as () => void],
  ])('goes its way when a sink fails %s, which is told once, and ends nothing', async (_how, take) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => said.mockRestore())
    const kept = keep()
    const to = talk(sample([{ take }, kept]), VERSION)
    for (let times = 0; times < 3; times++)
      expect(await to.ask('tools/call', { name: 'echo' })).toMatchObject({ result: { isError: false } })
    expect(kinds(kept.records).filter((kind) => kind === 'completed').length).toBeGreaterThan(2)
    expect(said).toHaveBeenCalledOnce()
    expect(String(said.mock.calls[0]?.[0])).toBe('Error: An observer failed: disk full')
  })
})

it('lets sinks wrap a call once it is received, the first outermost', async () => {
  const order: string[] = []
  const wrapping = (name: string): Sink => ({
    take: ({ kind }) => order.push(`${name} ${kind}`),
    middleware(call, next) {
      order.push(`${name} ${call.method}`)
      return next(call)
    },
  })
  const server = sample([wrapping('a'), wrapping('b')])
  await talk(server).ask('tools/list', { _meta: introduction() })
  expect(order).toEqual([
    'a received',
    'b received',
    'a tools/list',
    'b tools/list',
    'a completed',
    'b completed',
  ])
})

it('tells each sink how urgent a record is', async () => {
  const told: string[] = []
  const sink: Sink = { take: ({ kind }, level) => told.push(`${kind} ${level}`) }
  const to = talk(sample([sink]), VERSION)
  told.length = 0
  await to.ask('tools/call', { name: 'nothing' })
  await to.ask('tools/call', { name: 'echo' })
  expect(told).toEqual([
    'received debug',
    'completed error',
    'received debug',
    'invoked info',
    'completed info',
  ])
})

it('knows a tool that worked, also if it is gone when it has answered', async () => {
  const sink = keep('info')
  const server = sample([sink], { run: (_args, call) => void call.server.tools.remove('run') })
  await talk(server, VERSION).ask('tools/call', { name: 'run' })
  expect(sink.records.at(-1)).toMatchObject({ kind: 'completed', tool: 'run', unknown: undefined })
})

it('tells where a crash came from, in ten frames at most, and of which tool', async () => {
  const sink = keep('error')
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 20
  onTestFinished(() => {
    Error.stackTraceLimit = stackTraceLimit
  })
  const dig = (depth: number): never => {
    if (depth > 0) dig(depth - 1)
    throw new TypeError('deep')
  }
  const to = talk(sample([sink], { run: () => dig(12) }), VERSION)
  await to.ask('tools/call', { name: 'run' })
  const [crashed] = sink.records
  expect(crashed).toMatchObject({ kind: 'crashed', method: 'tools/call', tool: 'run', error: 'TypeError' })
  const { stack } = crashed as { stack: readonly string[] }
  expect(stack).toHaveLength(10)
  expect(stack[1]).toMatch(/^at dig /)
})

it('says no more of what others say than a log should have of it', () => {
  const sink = keep()
  const server = sample([sink], { recordArguments: true })
  const long = 'word '.repeat(400)
  const away = { kind: 'turned-away', status: 401, message: long, method: long, path: long } as const
  server.observe({ ...away, from: undefined })
  server.observe({ kind: 'crashed', error: new Error(long), method: long })
  server.observe({ kind: 'noted', level: 'warning', message: long })
  talk(server).send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: long } })
  const told = sink.records.map((record) =>
    ['message', 'verb', 'path', 'method'].map(
      (name) => String(record[name as keyof typeof record] ?? '').length,
    ),
  )
  expect(told.slice(0, 3)).toEqual([
    [513, 129, 129, 0],
    [513, 0, 0, 129],
    [513, 0, 0, 0],
  ])
  const refused = new Fault('invalidParams', long)
  expect([messageOf(refused, true).length, messageOf(refused, false)]).toEqual([513, 'Invalid params'])
})

it('says no more of a client than the beginning of its name', async () => {
  const sink = keep()
  const clientInfo = { name: 'n'.repeat(500), version: '1' }
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo }
  await talk(sample([sink])).ask('initialize', params)
  expect(sink.records.find(({ kind }) => kind === 'opened')).toMatchObject({ client: `${'n'.repeat(128)}…` })
})

it.each([
  [401, 'warning'],
  [404, 'info'],
  [405, 'info'],
  [503, 'warning'],
])('takes what is turned away with %d for %s', (status, level) => {
  const told: string[] = []
  const server = sample([{ take: (_record, urgency) => told.push(urgency) }])
  const away = { kind: 'turned-away', message: '', method: 'GET', path: '/', from: undefined } as const
  server.observe({ ...away, status })
  expect(told).toEqual([level])
})

it('tells of a crash with what is no error', async () => {
  const sink = keep('error')
  const run = () => {
    throw 'a word'
  }
  await talk(sample([sink], { run }), VERSION).ask('tools/call', { name: 'run' })
  expect(sink.records).toMatchObject([{ kind: 'crashed', error: 'string', message: 'a word', stack: [] }])
})

it('needs a sink', () => {
  expect(() => telemetry({ sinks: [] })).toThrow(TypeError)
})

const take = () => {}

it.each([
  [{ sinks: [{}] }, 'telemetry: sinks[0].take: expected a function, got nothing'],
  [{ sinks: [{ take, level: 'warn' }] }, "telemetry: sinks[0].level: expected 'debug' or 'info'"],
  [
    { sinks: [{ take, middleware: [] }] },
    'telemetry: sinks[0].middleware: expected a function, got an array',
  ],
  [{ sinks: [{ take }], clock: {} }, 'telemetry: clock.now: expected a function, got nothing'],
])('refuses %j', (options, said) => {
  expect(() => telemetry(options as never)).toThrow(said)
})

function throwing(thrown: unknown): never {
  throw thrown
}
