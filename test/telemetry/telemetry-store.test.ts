import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { expect, it, onTestFinished } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { jsonLines, MemoryStore, openTelemetry, prometheus, telemetry } from '../../src/index.ts'
import type { Store } from '../../src/kernel/index.ts'
import { call, openSession } from '../http/messages.ts'
import { TwoNodes } from '../nodes/two-nodes.ts'
import { parsePrometheus } from './prometheus-parser.ts'
import { startSdk } from './sdk.ts'
import { keep } from './telemetry-sample.ts'

/** A store that others may share, which fails when it is asked for `broken`. */
function sharedStore(): Store {
  const store = new MemoryStore()
  const get: Store['get'] = async (key) => {
    if (key === 'broken') throw new Error('The engine is away')
    return MemoryStore.prototype.get.call(store, key)
  }
  return Object.assign(store, { shared: true, place: 'redis://10.0.0.5:6379/0', get })
}

function serverWith(sinks: Parameters<typeof telemetry>[0]['sinks'], store: Store = sharedStore()) {
  return defineServer({ name: 's', version: '1', store, modules: [telemetry({ sinks })] }).platform.store
}

it('counts what a store is asked, how it came out and how long it took', async () => {
  const sink = prometheus()
  const store = serverWith([sink])
  await store.put('a', 1)
  await store.get('a')
  await store.get('a')
  await expect(store.get('broken')).rejects.toThrow('The engine is away')
  const families = parsePrometheus(sink.render())
  const counted = families.get('mcp_server_store_operations_total')?.samples ?? []
  expect(counted.map(({ labels, value }) => ({ ...labels, value }))).toEqual([
    { operation: 'put', outcome: 'ok', value: 1 },
    { operation: 'get', outcome: 'ok', value: 2 },
    { operation: 'get', outcome: 'error', value: 1 },
  ])
  const took = families.get('mcp_server_store_operation_duration_seconds')?.samples ?? []
  const count = took.find(({ name, labels }) => name.endsWith('_count') && labels['operation'] === 'get')
  expect(count?.value).toBe(3)
})

it('tells nothing of memory, and nothing in the log', async () => {
  const [lines, sink]: [string[], ReturnType<typeof keep>] = [[], keep()]
  const log = jsonLines({ level: 'debug', write: (line) => lines.push(line) })
  await serverWith([log, sink], new MemoryStore()).get('a')
  expect(sink.records).toEqual([])
  await serverWith([log, sink]).get('a')
  expect(sink.records).toMatchObject([{ kind: 'stored', operation: 'get', outcome: 'ok' }])
  expect(lines).toEqual([])
})

it('has spans inside those of whatever asked, and none of its own', async () => {
  const sdk = startSdk()
  onTestFinished(() => sdk.stop())
  const sink = openTelemetry()
  await sink.ready
  const store = serverWith([sink])
  await store.get('alone')
  const parent = trace.getTracer('test').startSpan('parent')
  await context.with(trace.setSpan(context.active(), parent), async () => {
    await store.put('a', 1)
    await store.get('broken').catch(() => {})
  })
  const spans = sdk.spans()
  expect(spans.map(({ name }) => name)).toEqual(['store put', 'store get'])
  const [put, get] = spans
  expect(put).toMatchObject({
    kind: SpanKind.CLIENT,
    parentSpanContext: { spanId: parent.spanContext().spanId },
    attributes: { 'db.operation.name': 'put', 'db.system.name': 'redis' },
  })
  expect(get?.status.code).toBe(SpanStatusCode.ERROR)
  const took = await sdk.metric('db.client.operation.duration')
  expect(took?.dataPoints.map(({ attributes }) => attributes['db.operation.name'])).toEqual(
    expect.arrayContaining(['get', 'put']),
  )
})

it('counts the sessions that came from another node, what was told again, and what was lost', async () => {
  await using nodes = await TwoNodes.start()
  const sink = prometheus()
  sink.watch(nodes.b.sample.server)
  const read = (name: string) => parsePrometheus(sink.render()).get(name)?.samples[0]?.value
  const headers = await openSession(nodes.a)
  expect(read('mcp_server_sessions_adopted_total')).toBe(0)
  await nodes.b.send({ headers, body: call(1, 'echo', { text: 'there' }) })
  expect(read('mcp_server_sessions_adopted_total')).toBe(1)
  expect(parsePrometheus(sink.render()).get('mcp_server_sessions_adopted_total')?.type).toBe('counter')
  const opening = nodes.a.stream({ headers, body: call(2, 'talk') })
  const talk = await nodes.a.talk()
  talk.call.log('info', 'one')
  const calling = await opening
  await calling.next()
  const { lastId } = calling
  calling.destroy()
  const resumed = await nodes.b.stream({
    method: 'GET',
    headers: { ...headers, accept: 'text/event-stream', 'last-event-id': lastId },
  })
  talk.finish('two')
  await resumed.rest()
  expect(read('mcp_server_events_replayed_total')).toBe(1)
  expect(read('mcp_server_calls_lost_total')).toBe(0)
})
