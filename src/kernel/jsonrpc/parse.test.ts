import { expect, it } from 'vitest'
import { FAULTS } from '../faults.ts'
import { parse } from './parse.ts'

it('reads a request, a notice and an answer', () => {
  expect(parse('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1}}')).toMatchObject({
    kind: 'request',
    id: 1,
    method: 'ping',
    params: { a: 1 },
  })
  expect(parse('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toEqual({
    kind: 'notification',
    method: 'notifications/initialized',
    params: undefined,
  })
  expect(parse('{"jsonrpc":"2.0","id":1,"result":{"a":1}}')).toEqual({
    kind: 'response',
    id: 1,
    result: { a: 1 },
    error: undefined,
  })
})

it('takes no answer that is not of JSON-RPC 2.0, and answers none', () => {
  for (const jsonrpc of ['1.0', 2, undefined]) {
    const read = parse(JSON.stringify({ jsonrpc, id: 1, result: {} }))
    expect(read).toMatchObject({ kind: 'refused', isResponse: true })
  }
})

it('tells 1 from "1", and takes every safe integer and every string for an id', () => {
  for (const id of [1, '1', 0, -1, '', 2 ** 53 - 1, -(2 ** 53 - 1)]) {
    expect(parse(JSON.stringify({ jsonrpc: '2.0', id, method: 'm' }))).toMatchObject({ kind: 'request', id })
  }
})

it('says what an id may be as the dialect has it', () => {
  const text = '{"jsonrpc":"2.0","id":null,"method":"m"}'
  const said = (ids: 'integers' | 'numbers') => {
    const read = parse(text, { ids })
    return read.kind === 'refused' ? read.fault.message : read.kind
  }
  expect(said('integers')).toContain('id must be a string or an integer up to 2^53, got null')
  expect(said('numbers')).toContain('id must be a string or a number up to 2^53, got null')
})

it('does not repeat an id that is longer than it may be, whatever else is wrong with its message', () => {
  const limits = { maxNesting: 4, maxBatchMessages: 10, maxIdBytes: 5 }
  const read = (message: object) => parse(JSON.stringify(message), undefined, limits)
  const request = { jsonrpc: '2.0', id: 'secret', method: 'm' }
  const fault = {
    fault: 'invalidRequest',
    message: 'Invalid request: id: at most 5 bytes, got 6 (--max-id); it is not repeated',
  }
  const refused = { kind: 'refused', id: undefined, method: 'm', isResponse: false }
  expect(read(request)).toEqual({ ...refused, fault: expect.objectContaining(fault) })
  expect(read([request])).toMatchObject({ kind: 'batch', entries: [{ ...refused, fault }] })
  const deep = [[[[[[[[[[]]]]]]]]]]
  for (const wrong of [
    { jsonrpc: '1.0' },
    { params: 7 },
    { method: 7 },
    { method: undefined },
    { params: deep },
  ])
    expect(read({ ...request, ...wrong })).toMatchObject({ kind: 'refused', id: undefined })
  expect(read({ ...request, id: 'short' })).toMatchObject({ kind: 'request', id: 'short' })
  expect(read({ ...request, id: 1_000_000 })).toMatchObject({ kind: 'request', id: 1_000_000 })
})

it('takes a fraction for an id where the dialect does', () => {
  for (const id of [1.5, -0.25, 1e-7]) {
    const text = JSON.stringify({ jsonrpc: '2.0', id, method: 'm' })
    expect(parse(text, { ids: 'numbers' })).toMatchObject({ kind: 'request', id })
    expect(parse(text)).toMatchObject({ kind: 'refused', id: undefined })
    expect(parse(`[${text}]`)).toMatchObject({ kind: 'batch', entries: [{ kind: 'refused' }] })
  }
})

it.each([
  ['no JSON', 'nonsense', 'parseError', undefined, 'Parse error'],
  ['nothing', '', 'parseError', undefined, 'Parse error'],
  ['a string', '"hi"', 'invalidRequest', undefined, 'got the string "hi"'],
  ['null', 'null', 'invalidRequest', undefined, 'got null'],
  ['an empty batch', '[]', 'invalidRequest', undefined, 'must not be empty'],
  ['no jsonrpc', '{"id":1,"method":"m"}', 'invalidRequest', 1, 'jsonrpc must be "2.0", got nothing'],
  ['another jsonrpc', '{"jsonrpc":2,"id":1,"method":"m"}', 'invalidRequest', 1, 'got the number 2'],
  ['no method', '{"jsonrpc":"2.0","id":1}', 'invalidRequest', 1, 'method is missing'],
  [
    'a method of a wrong type',
    '{"jsonrpc":"2.0","id":"a","method":5}',
    'invalidRequest',
    'a',
    'got the number 5',
  ],
  ['the id null', '{"jsonrpc":"2.0","id":null,"method":"m"}', 'invalidRequest', undefined, 'got null'],
  [
    'an id past 2^53',
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"m"}',
    'invalidRequest',
    undefined,
    'up to 2^53',
  ],
  [
    'an object for an id',
    '{"jsonrpc":"2.0","id":{},"method":"m"}',
    'invalidRequest',
    undefined,
    'got an object',
  ],
  [
    'an array for params',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":[]}',
    'invalidParams',
    1,
    'got an array',
  ],
  ['null for params', '{"jsonrpc":"2.0","id":1,"method":"m","params":null}', 'invalidParams', 1, 'got null'],
  [
    'an answer without an id',
    '{"jsonrpc":"2.0","result":{}}',
    'invalidRequest',
    undefined,
    'id of its question',
  ],
  [
    'an answer with the id null',
    '{"jsonrpc":"2.0","id":null,"error":{}}',
    'invalidRequest',
    undefined,
    'id of its',
  ],
] as const)('refuses %s', (_name, text, fault, id, message) => {
  const refused = parse(text)
  expect(refused).toMatchObject({ kind: 'refused', id, fault: { fault } })
  expect(refused.kind === 'refused' && refused.fault.message).toContain(message)
  expect(FAULTS[fault].code).toBeLessThan(0)
})

it('takes as many messages in a batch, and as deep ones, as it may, and no more', () => {
  const limits = { maxNesting: 3, maxBatchMessages: 2, maxIdBytes: 10 }
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[]}}'
  const said = (text: string) => {
    const read = parse(text, undefined, limits)
    return read.kind === 'refused' ? read.fault.message : read.kind
  }
  expect(said(ping)).toBe('request')
  expect(said(ping.replace('[]', '[{}]'))).toBe(
    'Invalid request: JSON nested more than 3 levels deep (--max-nesting)',
  )
  expect(said('[1,1]')).toBe('batch')
  expect(said('[1,1,1]')).toBe('A batch may hold 2 messages, this one has 3 (--max-batch-messages)')
})

it('reads each entry of a batch on its own', () => {
  expect(parse('[1,{"jsonrpc":"2.0","method":"m"},{"jsonrpc":"2.0","id":1}]')).toMatchObject({
    kind: 'batch',
    entries: [{ kind: 'refused' }, { kind: 'notification' }, { kind: 'refused', id: 1 }],
  })
})

it('takes an error of any shape for an answer', () => {
  expect(parse('{"jsonrpc":"2.0","id":1,"error":{"code":"x"}}')).toMatchObject({
    kind: 'response',
    error: { code: -32603, message: 'An error came that gives no reason' },
  })
  expect(parse('{"jsonrpc":"2.0","id":1,"error":{"code":1e999,"message":"The disk is full"}}')).toMatchObject(
    {
      error: { code: -32603, message: 'The disk is full' },
    },
  )
  expect(parse('{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no","data":[1]}}')).toMatchObject({
    error: { code: -1, message: 'no', data: [1] },
  })
  expect(parse('{"jsonrpc":"2.0","id":1,"result":5}')).toMatchObject({ result: undefined, error: undefined })
})

it('refuses what is nested too deeply under its id', () => {
  const deep = `{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`
  expect(parse(deep)).toMatchObject({ kind: 'refused', id: 7, fault: { fault: 'invalidRequest' } })
})

it('takes a batch of a thousand', () => {
  expect(parse(`[${Array(1000).fill('1').join()}]`)).toMatchObject({ kind: 'batch' })
})

it('takes what is cut off for no JSON, however deep that might have become, while it is short', () => {
  const cut = (length: number) => parse('['.repeat(length))
  expect([cut(512), cut(513)]).toMatchObject([
    { fault: { fault: 'parseError' } },
    { fault: { fault: 'invalidRequest' } },
  ])
})

it('has own members only: __proto__ is a key like any other', () => {
  const read = parse('{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"polluted":true}}}')
  expect(({} as Record<string, unknown>)['polluted']).toBe(undefined)
  expect(read.kind === 'request' && Object.keys(read.params ?? {})).toEqual(['__proto__'])
})
