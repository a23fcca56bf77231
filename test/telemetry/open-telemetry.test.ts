import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { DataPointType, type Histogram } from '@opentelemetry/sdk-metrics'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Carrier, parse, type Server } from '../../src/kernel/index.ts'
import { openTelemetry } from '../../src/middleware/telemetry/index.ts'
import { receive } from '../setup/receive.ts'
import { introduction, talk } from '../setup/talk.ts'
import { type Sdk, startSdk } from './sdk.ts'
import { handClock, sample } from './telemetry-sample.ts'

const VERSION = '2025-11-25'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

let sdk: Sdk
beforeEach(() => {
  sdk = startSdk()
})
afterEach(() => sdk.stop())

async function traced(more: Parameters<typeof sample>[1] = {}): Promise<Server> {
  const sink = openTelemetry({ version: '1.0.0' })
  await sink.ready
  return sample([sink], more)
}

async function lastSpan(method: string, params: object, more: Parameters<typeof sample>[1] = {}) {
  const to = talk(await traced(more), VERSION)
  await to.ask(method, { ...params })
  const span = sdk.spans().at(-1)
  if (span === undefined) throw new Error('There is no span')
  return span
}

/** Sends one request over a link that is carried in this way. */
function send(server: Server, carrier: Carrier | undefined, method: string, params: object) {
  const link = server.open({ outlet: { send() {} }, ...(carrier !== undefined && { carrier }) })
  const request = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: introduction() } }
  void receive(link, parse(JSON.stringify(request)))
  return link
}

describe('a span', () => {
  it('of a tool call has the names and attributes of the conventions', async () => {
    const span = await lastSpan('tools/call', { name: 'echo', arguments: { a: 1 } })
    expect(span.name).toBe('tools/call echo')
    expect(span.kind).toBe(SpanKind.SERVER)
    expect(span.status).toEqual({ code: SpanStatusCode.UNSET })
    expect(span.instrumentationScope).toMatchObject({ name: 'perigee', version: '1.0.0' })
    expect(span.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': VERSION,
      'jsonrpc.request.id': 'q1',
      'gen_ai.tool.name': 'echo',
      'gen_ai.operation.name': 'execute_tool',
    })
  })

  it.each([
    ['prompts/get', { name: 'greet' }, 'prompts/get greet', { 'gen_ai.prompt.name': 'greet' }],
    ['resources/read', { uri: 'memo://one' }, 'resources/read', { 'mcp.resource.uri': 'memo://one' }],
    ['tools/list', {}, 'tools/list', {}],
    ['ping', {}, 'ping', {}],
  ])('of %s %j is named %s', async (method, params, name, attributes) => {
    const span = await lastSpan(method, params)
    expect(span.name).toBe(name)
    expect(span.attributes).toEqual({
      'mcp.method.name': method,
      'mcp.protocol.version': VERSION,
      'jsonrpc.request.id': 'q1',
      ...attributes,
    })
  })

  it('of a handshake has the revision that was agreed on', async () => {
    talk(await traced(), '2025-06-18')
    expect(sdk.spans()[0]).toMatchObject({
      name: 'initialize',
      attributes: { 'mcp.protocol.version': '2025-06-18' },
    })
  })

  it.each([
    ['echo', SpanStatusCode.UNSET, undefined, undefined, undefined],
    ['broken', SpanStatusCode.ERROR, undefined, 'tool_error', undefined],
    ['refusing', SpanStatusCode.ERROR, 'Invalid params', '-32602', '-32602'],
    ['nothing', SpanStatusCode.ERROR, 'Unknown tool', '-32602', '-32602'],
  ])('of the tool %s says how it came out', async (name, code, message, type, status) => {
    const span = await lastSpan('tools/call', { name })
    expect(span.status).toEqual(message === undefined ? { code } : { code, message })
    expect([span.attributes['error.type'], span.attributes['rpc.response.status_code']]).toEqual([
      type,
      status,
    ])
  })

  it.each([
    ['tools/call', { name: 'made up' }, 'tools/call', { 'gen_ai.tool.name': 'made up' }],
    ['made/up', {}, '_OTHER', { 'mcp.method.name': 'made/up', 'error.type': '-32601' }],
  ])('of %s %j has a name that clients cannot make up', async (method, params, name, attributes) => {
    const span = await lastSpan(method, params)
    expect(span.name).toBe(name)
    expect(span.attributes).toMatchObject(attributes)
  })

  it('of a request that was turned away says why', async () => {
    await talk(await traced()).ask('tools/call', { name: 'echo' })
    expect(sdk.spans()).toMatchObject([
      {
        name: 'tools/call',
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': '-32600', 'gen_ai.tool.name': 'echo', 'jsonrpc.request.id': 'q1' },
      },
    ])
  })

  it('of a cancelled call ends when it is cancelled, and is no error', async () => {
    const to = talk(await traced(), VERSION)
    to.send({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'endless' } })
    to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } })
    expect(sdk.spans().at(-1)).toMatchObject({
      name: 'tools/call endless',
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'perigee.cancelled': true },
    })
  })

  it.each([
    [{ transport: 'pipe' }, { 'network.transport': 'pipe' }],
    [
      { transport: 'tcp', protocol: 'http', session: 's1' },
      { 'network.transport': 'tcp', 'network.protocol.name': 'http', 'mcp.session.id': 's1' },
    ],
  ] as const)('says what carries it: %j', async (carrier, attributes) => {
    send(await traced(), carrier, 'tools/list', {})
    expect(sdk.spans()[0]?.attributes).toEqual({
      'mcp.method.name': 'tools/list',
      'mcp.protocol.version': '2026-07-28',
      'jsonrpc.request.id': '1',
      ...attributes,
    })
  })

  it('has arguments and result when they are asked for', async () => {
    const params = { name: 'echo', arguments: { a: 1, apiKey: 'k' } }
    const { attributes } = await lastSpan('tools/call', params, { recordArguments: true })
    expect(attributes['gen_ai.tool.call.arguments']).toBe('{"a":1,"apiKey":"[redacted]"}')
    expect(JSON.parse(String(attributes['gen_ai.tool.call.result']))).toMatchObject({ isError: false })
    const failed = await lastSpan('tools/call', { name: 'broken' }, { recordArguments: true })
    expect(failed.attributes['gen_ai.tool.call.result']).toBeUndefined()
  })
})

describe('a trace', () => {
  const _meta = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'a=b', baggage: 'user=ann' }

  it('goes on from the client that says it in _meta', async () => {
    let seen: string | undefined
    const run = () => {
      seen = propagation.getActiveBaggage()?.getEntry('user')?.value
      return 'done'
    }
    const span = await lastSpan('tools/call', { name: 'run', _meta }, { run })
    expect(span.spanContext().traceId).toBe(TRACE)
    expect(span.parentSpanContext).toMatchObject({ spanId: PARENT, isRemote: true })
    expect(span.parentSpanContext?.traceState?.serialize()).toBe('a=b')
    expect(span.links).toEqual([])
    expect(seen).toBe('ann')
  })

  it('links the span that carries the request, and does not make it the parent', async () => {
    const server = await traced()
    const to = talk(server, VERSION)
    const carrying = trace.getTracer('http').startSpan('POST /mcp')
    await context.with(trace.setSpan(context.active(), carrying), () => to.ask('tools/list', { _meta }))
    const span = sdk.spans().at(-1)
    expect(span?.parentSpanContext?.spanId).toBe(PARENT)
    expect(span?.links.map((link) => link.context.spanId)).toEqual([carrying.spanContext().spanId])
  })

  it.each([
    ['nothing', {}],
    ['nonsense', { traceparent: 'nonsense' }],
    ['no text', { traceparent: 5, baggage: ['x'] }],
  ])('is that of the carrying span when the client says %s', async (_name, meta) => {
    const server = await traced()
    const to = talk(server, VERSION)
    const carrying = trace.getTracer('http').startSpan('POST /mcp')
    await context.with(trace.setSpan(context.active(), carrying), () => to.ask('tools/list', { _meta: meta }))
    const span = sdk.spans().at(-1)
    expect(span?.parentSpanContext?.spanId).toBe(carrying.spanContext().spanId)
    expect(span?.links).toEqual([])
  })

  it('begins with the request where nobody else has begun one', async () => {
    const span = await lastSpan('tools/list', {})
    expect(span.parentSpanContext).toBeUndefined()
    expect(span.links).toEqual([])
  })

  it('has the spans of a tool below that of its call, also after a while', async () => {
    const work = (name: string) => trace.getTracer('tool').startSpan(name).end()
    await lastSpan(
      'tools/call',
      { name: 'run', _meta },
      {
        run: async () => {
          work('at once')
          await new Promise(setImmediate)
          work('later')
          return 'done'
        },
      },
    )
    const spans = sdk.spans().slice(-3)
    expect(spans.map(({ name }) => name)).toEqual(['at once', 'later', 'tools/call run'])
    const [first, second, own] = spans
    expect(first?.parentSpanContext?.spanId).toBe(own?.spanContext().spanId)
    expect(second?.parentSpanContext?.spanId).toBe(own?.spanContext().spanId)
    expect(second?.spanContext().traceId).toBe(TRACE)
  })

  it('has the spans of a synchronous tool below its call, and the call stays synchronous', async () => {
    const run = () => {
      trace.getTracer('tool').startSpan('inside').end()
      return 'done'
    }
    const server = await traced({ run })
    const link = server.open({ outlet: { send() {} } })
    const params = { name: 'run', _meta: introduction() }
    const request = parse(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
    expect(receive(link, request)).toMatchObject({ result: { isError: false } })
    const [inside, own] = sdk.spans()
    expect(inside?.parentSpanContext?.spanId).toBe(own?.spanContext().spanId)
  })
})

describe('metrics', () => {
  const points = async (name: string) => {
    const metric = await sdk.metric(name)
    if (metric?.dataPointType !== DataPointType.HISTOGRAM) throw new Error(`${name} is no histogram`)
    return {
      descriptor: metric.descriptor,
      points: metric.dataPoints as { attributes: object; value: Histogram }[],
    }
  }

  it('has the duration of operations in the buckets of the conventions', async () => {
    const clock = handClock()
    const run = (args: { readonly [name: string]: unknown }) => {
      clock.at += Number(args['ms'])
      return 'done'
    }
    const to = talk(await traced({ clock, run }), VERSION)
    for (const ms of [5, 15, 15, 400_000]) await to.ask('tools/call', { name: 'run', arguments: { ms } })
    const { descriptor, points: all } = await points('mcp.server.operation.duration')
    expect(descriptor).toMatchObject({ unit: 's' })
    const point = all.find(({ attributes }) => 'gen_ai.tool.name' in attributes)
    expect(point?.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': VERSION,
      'gen_ai.tool.name': 'run',
      'gen_ai.operation.name': 'execute_tool',
    })
    expect(point?.value.buckets.boundaries).toEqual(BUCKETS)
    expect(point?.value.buckets.counts).toEqual([1, 2, ...Array<number>(12).fill(0), 1])
    expect(point?.value.sum).toBeCloseTo(400.035)
  })

  it('has no ids, no URIs and no made-up names', async () => {
    const to = talk(await traced(), VERSION)
    for (const n of [1, 2, 3]) {
      await to.ask('tools/call', { name: `made up ${n}` })
      await to.ask(`made/up${n}`)
      await to.ask('prompts/get', { name: `made up ${n}` })
      await to.ask('resources/read', { uri: `memo://${n}` })
    }
    await talk(await traced()).ask('made/up4')
    const { points: all } = await points('mcp.server.operation.duration')
    expect(all.map(({ attributes }) => Object.values(attributes).join(' ')).sort()).toEqual([
      `_OTHER -32601 -32601`,
      `_OTHER ${VERSION} -32601 -32601`,
      `initialize ${VERSION}`,
      `prompts/get _OTHER ${VERSION} -32602 -32602`,
      `resources/read ${VERSION} -32002 -32002`,
      `tools/call _OTHER execute_tool ${VERSION} -32602 -32602`,
    ])
  })

  it('has the duration of sessions', async () => {
    const clock = handClock()
    const to = talk(await traced({ clock }), VERSION)
    clock.at = 45_000
    to.close()
    const { points: all } = await points('mcp.server.session.duration')
    expect(all).toMatchObject([
      { attributes: { 'mcp.protocol.version': VERSION }, value: { count: 1, sum: 45 } },
    ])
    expect(all[0]?.value.buckets.boundaries).toEqual(BUCKETS)
  })

  it('counts what was no message', async () => {
    const to = talk(await traced())
    to.send('nonsense')
    expect((await sdk.metric('perigee.server.unreadable'))?.dataPoints).toMatchObject([
      { attributes: { 'error.type': '-32700' }, value: 1 },
    ])
  })

  it('go to the SDK that is set up, also when that happens later', async () => {
    await sdk.stop()
    const to = talk(await traced(), VERSION)
    await to.ask('tools/list')
    sdk = startSdk()
    await to.ask('tools/list')
    const { points: all } = await points('mcp.server.operation.duration')
    expect(all).toMatchObject([{ attributes: { 'mcp.method.name': 'tools/list' }, value: { count: 1 } }])
    expect(sdk.spans().map(({ name }) => name)).toEqual(['tools/list'])
  })
})

describe('without the API', () => {
  it('nothing happens and nothing is printed', async () => {
    const written = ['stdout', 'stderr'].map((name) => {
      return vi.spyOn(process[name as 'stdout' | 'stderr'], 'write').mockReturnValue(true)
    })
    const load = () => import(['@opentelemetry', 'not-installed'].join('/')) as Promise<unknown>
    const sink = openTelemetry({ load })
    await expect(sink.ready).resolves.toBeUndefined()
    const to = talk(sample([sink]), VERSION)
    const reply = await to.ask('tools/call', { name: 'echo' })
    to.close()
    for (const spy of written) {
      expect(spy).not.toHaveBeenCalled()
      spy.mockRestore()
    }
    expect(reply).toMatchObject({ result: { isError: false } })
    expect(sdk.spans()).toEqual([])
  })

  it('calls are answered while it is being loaded', async () => {
    const sink = openTelemetry({ load: () => new Promise(() => {}) })
    const reply = await talk(sample([sink]), VERSION).ask('tools/call', { name: 'echo' })
    expect(reply).toMatchObject({ result: { isError: false } })
  })
})
