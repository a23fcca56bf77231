import { describe, expect, it } from 'vitest'
import type { StoredRecord } from '../records.ts'
import type { Subject } from '../subject.ts'
import {
  endingAttributes,
  operationAttributes,
  requestAttributes,
  STORE_BUCKETS,
  sessionAttributes,
  spanNameOf,
  storeAttributes,
} from './conventions.ts'

const subject = (more: Partial<Subject>): Subject => ({
  method: 'tools/call',
  id: 7,
  tool: undefined,
  prompt: undefined,
  uri: undefined,
  unknown: undefined,
  ...more,
})
const CARRIER = { transport: 'tcp', protocol: 'http', session: 's' } as const
const NETWORK = { 'network.transport': 'tcp', 'network.protocol.name': 'http' }
const TOOL = { 'gen_ai.tool.name': 'add', 'gen_ai.operation.name': 'execute_tool' }

it('names a span by what the server has, and by nothing that only a client knows', () => {
  expect(spanNameOf(subject({ tool: 'add' }))).toBe('tools/call add')
  expect(spanNameOf(subject({ method: 'prompts/get', prompt: 'review' }))).toBe('prompts/get review')
  expect(spanNameOf(subject({ tool: 'made up', unknown: 'target' }))).toBe('tools/call')
  expect(spanNameOf(subject({ method: 'made/up', unknown: 'method' }))).toBe('_OTHER')
  expect(spanNameOf(subject({ method: 'ping' }))).toBe('ping')
})

it('says of a request what is known when it comes', () => {
  expect(requestAttributes(subject({ tool: 'add' }), CARRIER)).toEqual({
    'mcp.method.name': 'tools/call',
    'jsonrpc.request.id': '7',
    ...TOOL,
    'mcp.session.id': 's',
    ...NETWORK,
  })
  expect(requestAttributes(subject({ method: 'resources/read', uri: 'a:b' }), undefined)).toEqual({
    'mcp.method.name': 'resources/read',
    'jsonrpc.request.id': '7',
    'mcp.resource.uri': 'a:b',
  })
})

describe('an ending', () => {
  it.each([
    [{ outcome: 'ok' }, {}],
    [{ outcome: 'cancelled' }, {}],
    [{ outcome: 'tool_error' }, { 'error.type': 'tool_error' }],
    [
      { outcome: 'error', code: -32602, message: 'no' },
      { 'error.type': '-32602', 'rpc.response.status_code': '-32602' },
    ],
  ] as const)('%j is told by %j', (ending, told) => {
    expect(endingAttributes(ending, undefined)).toEqual(told)
    expect(endingAttributes(ending, '2025-06-18')).toEqual({ 'mcp.protocol.version': '2025-06-18', ...told })
  })
})

it('counts a duration under names of which there is an end', () => {
  const record = { ...subject({ tool: 'add' }), outcome: 'ok', protocol: '2025-06-18' } as const
  const known = { 'mcp.method.name': 'tools/call', 'mcp.protocol.version': '2025-06-18', ...NETWORK }
  expect(operationAttributes(record, CARRIER)).toEqual({ ...known, ...TOOL })
  expect(operationAttributes({ ...record, unknown: 'target' }, CARRIER)).toEqual({
    ...known,
    ...TOOL,
    'gen_ai.tool.name': '_OTHER',
  })
  expect(operationAttributes({ ...record, outcome: 'tool_error' }, CARRIER)['error.type']).toBe('tool_error')
})

it('has the buckets that the conventions for databases have', () => {
  expect(STORE_BUCKETS).toEqual([0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10])
})

it.each([
  [undefined, undefined],
  ['sqlite:/a/b', 'sqlite'],
  ['redis://h', 'redis'],
  ['rediss://h', 'redis'],
  ['postgres://h', 'postgresql'],
])('names the system of the store %s: %s', (store, system) => {
  const record: StoredRecord = {
    kind: 'stored',
    time: 0,
    operation: 'get',
    durationMs: 1,
    outcome: 'ok',
    store,
  }
  const named = { 'db.operation.name': 'get', ...(system !== undefined && { 'db.system.name': system }) }
  expect(storeAttributes(record)).toEqual(named)
  expect(storeAttributes({ ...record, outcome: 'error' })).toEqual({ ...named, 'error.type': 'store' })
})

it('says of a session what it speaks and how it came', () => {
  expect(sessionAttributes('2025-06-18', CARRIER)).toEqual({
    'mcp.protocol.version': '2025-06-18',
    ...NETWORK,
  })
  expect(sessionAttributes(undefined, undefined)).toEqual({})
})
