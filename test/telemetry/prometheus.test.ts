import { describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { prometheus, telemetry } from '../../src/middleware/telemetry/index.ts'
import { introduction, talk } from '../setup/talk.ts'
import { parsePrometheus } from './prometheus-parser.ts'
import { handClock, sample } from './telemetry-sample.ts'

const VERSION = '2025-11-25'

/** The values of a family, by their labels. */
function read(text: string, name: string) {
  const samples = parsePrometheus(text).get(name)?.samples ?? []
  return Object.fromEntries(
    samples.map(({ name: own, labels, value }) => {
      const suffix = own.slice(name.length)
      return [[suffix, ...Object.values(labels)].filter((part) => part !== '').join(' '), value]
    }),
  )
}

it('says nothing wrong before anything has happened', () => {
  const families = parsePrometheus(prometheus({ memory: () => 1024 }).render())
  expect(families.get('mcp_server_sessions')).toMatchObject({ type: 'gauge', samples: [{ value: 0 }] })
  expect(families.get('process_resident_memory_bytes')?.samples).toMatchObject([{ value: 1024 }])
  expect(families.get('process_start_time_seconds')?.samples[0]?.value).toBeGreaterThan(1.7e9)
  expect([...families.values()].every(({ help }) => help.endsWith('.'))).toBe(true)
})

it('says nothing of memory that it cannot look at', () => {
  expect(parsePrometheus(prometheus().render()).has('process_resident_memory_bytes')).toBe(false)
})

it('counts requests and calls of tools by how they came out', async () => {
  const sink = prometheus()
  const to = talk(sample([sink]), VERSION)
  for (const name of ['echo', 'echo', 'later', 'broken', 'refusing']) await to.ask('tools/call', { name })
  await to.ask('tools/list')
  expect(read(sink.render(), 'mcp_server_requests_total')).toEqual({
    'initialize ok': 1,
    'tools/call ok': 3,
    'tools/call tool_error': 1,
    'tools/call -32602': 1,
    'tools/list ok': 1,
  })
  expect(read(sink.render(), 'mcp_server_tool_calls_total')).toEqual({
    'echo ok': 2,
    'later ok': 1,
    'broken tool_error': 1,
    'refusing -32602': 1,
  })
  expect(read(sink.render(), 'mcp_server_crashes_total')).toEqual({ 'tools/call': 1 })
})

it('puts durations into buckets', async () => {
  const sink = prometheus()
  const clock = handClock()
  const run = (args: { readonly [name: string]: unknown }) => {
    clock.at += Number(args['ms'])
    return 'done'
  }
  const to = talk(sample([sink], { clock, run }), VERSION)
  for (const ms of [10, 11, 700, 400_000]) await to.ask('tools/call', { name: 'run', arguments: { ms } })
  expect(read(sink.render(), 'mcp_server_operation_duration_seconds')).toMatchObject({
    '_bucket tools/call run ok 0.01': 1,
    '_bucket tools/call run ok 0.02': 2,
    '_bucket tools/call run ok 0.5': 2,
    '_bucket tools/call run ok 1': 3,
    '_bucket tools/call run ok 300': 3,
    '_bucket tools/call run ok +Inf': 4,
    '_count tools/call run ok': 4,
    '_sum tools/call run ok': expect.closeTo(400.721),
    '_bucket initialize ok 0.01': 1,
  })
})

it('puts what a store takes into buckets of its own', () => {
  const sink = prometheus()
  const told = { kind: 'stored', time: 0, operation: 'get', store: undefined } as const
  for (const [durationMs, outcome] of [
    [1, 'ok'],
    [250, 'ok'],
    [12_000, 'error'],
  ] as const)
    sink.take({ ...told, durationMs, outcome })
  expect(read(sink.render(), 'mcp_server_store_operation_duration_seconds')).toMatchObject({
    '_bucket get 0.001': 1,
    '_bucket get 0.1': 1,
    '_bucket get 0.5': 2,
    '_bucket get 10': 2,
    '_bucket get +Inf': 3,
    '_sum get': expect.closeTo(12.251),
  })
})

it('counts what was turned away', async () => {
  const sink = prometheus()
  const to = talk(sample([sink]))
  await to.ask('tools/list')
  await to.ask('made/up')
  to.send('nonsense')
  to.send('{"jsonrpc":"1.0","id":1}')
  expect(read(sink.render(), 'mcp_server_refusals_total')).toEqual({
    'refused -32600': 1,
    'refused -32601': 1,
    'unreadable -32700': 1,
    'unreadable -32600': 1,
  })
  expect(read(sink.render(), 'mcp_server_requests_total')).toEqual({
    'tools/list -32600': 1,
    '_OTHER -32601': 1,
  })
})

it('knows how many sessions and requests there are', async () => {
  const sink = prometheus()
  const clock = handClock()
  const server = sample([sink], { clock })
  const [one, other] = [talk(server, VERSION), talk(server, VERSION)]
  one.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'endless' } })
  expect(read(sink.render(), 'mcp_server_sessions')).toEqual({ '': 2 })
  expect(read(sink.render(), 'mcp_server_requests_in_flight')).toEqual({ '': 1 })
  clock.at = 90_000
  one.close()
  other.close()
  expect(read(sink.render(), 'mcp_server_sessions')).toEqual({ '': 0 })
  expect(read(sink.render(), 'mcp_server_requests_in_flight')).toEqual({ '': 0 })
  expect(read(sink.render(), 'mcp_server_session_duration_seconds')).toMatchObject({
    '_bucket 60': 0,
    '_bucket 120': 2,
    _sum: 180,
  })
})

describe('labels', () => {
  it('do not grow with what clients make up', async () => {
    const sink = prometheus()
    const to = talk(sample([sink]), VERSION)
    for (let n = 0; n < 100; n++) {
      await to.ask('tools/call', { name: `made up ${n}` })
      await to.ask(`made/up${n}`)
    }
    expect(read(sink.render(), 'mcp_server_tool_calls_total')).toEqual({})
    expect(read(sink.render(), 'mcp_server_requests_total')).toEqual({
      'initialize ok': 1,
      'tools/call -32602': 100,
      '_OTHER -32601': 100,
    })
    const { samples = [] } = parsePrometheus(sink.render()).get('mcp_server_operation_duration_seconds') ?? {}
    expect(samples.filter(({ name }) => name.endsWith('_count'))).toHaveLength(3)
  })

  it('do not grow for ever with tools that come and go', async () => {
    const sink = prometheus()
    const server = sample([sink])
    const to = talk(server)
    await to.ask('tools/list', { _meta: introduction() })
    for (let n = 0; n < 600; n++) {
      server.tools.add({ name: `tool${n}`, run: () => 'done' })
      await to.ask('tools/call', { name: `tool${n}`, _meta: introduction() })
    }
    const counted = read(sink.render(), 'mcp_server_tool_calls_total')
    expect(Object.keys(counted)).toHaveLength(501)
    expect(counted['_OTHER ok']).toBe(100)
  })

  it('are written so that they come back as they were', () => {
    const sink = prometheus()
    const tool = 'a"b\\c\nd\\n{é},="'
    const times = { time: 0, durationMs: 1, arguments: undefined, result: undefined }
    sink.take({ kind: 'invoked', id: 1, tool, outcome: 'ok', ...times })
    const { samples = [] } = parsePrometheus(sink.render()).get('mcp_server_tool_calls_total') ?? {}
    expect(samples).toEqual([
      { name: 'mcp_server_tool_calls_total', labels: { tool, outcome: 'ok' }, value: 1 },
    ])
  })
})

it('answers an HTTP request', () => {
  const sink = prometheus()
  const answers: unknown[][] = []
  sink.page({ answer: (...answer) => answers.push(answer) })
  expect(answers).toEqual([
    [200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }, sink.render()],
  ])
})

it('counts several servers together', async () => {
  const sink = prometheus()
  const counted = telemetry({ sinks: [sink] })
  for (const name of ['one', 'other']) {
    await talk(defineServer({ name, version: '1', modules: [counted] }), VERSION).ask('ping')
  }
  expect(read(sink.render(), 'mcp_server_requests_total')).toEqual({ 'initialize ok': 2, 'ping ok': 2 })
})
