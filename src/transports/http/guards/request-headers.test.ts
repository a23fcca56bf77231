import { expect, it } from 'vitest'
import { Fault, META, type Peer } from '../../../kernel/index.ts'
import type { HttpHeaders } from '../exchange.ts'
import { checkArguments, checkHeaders } from './request-headers.ts'

const VERSION = '2026-07-28'
const sender = {} as Peer // Only that there is one matters here.

function request(method: string, params: object = {}) {
  const all = { ...params, _meta: { [META.protocolVersion]: VERSION } }
  return { kind: 'request', id: 1, method, params: all, length: 2 } as const
}

const of = (method: string, name?: string): HttpHeaders => ({
  'mcp-protocol-version': VERSION,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
})

const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`

it.each([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])('%s is named by a header as by its %s', (method, key) => {
  const check = (name?: string) =>
    checkHeaders(of(method, name), request(method, { [key]: 'añ' }), sender)?.fault
  expect(check(base64('añ'))).toBe(undefined)
  expect(check(base64('other'))).toBe('headerMismatch')
  expect(check()).toBe('headerMismatch')
  expect(checkHeaders(of(method), request(method), sender)).toBe(undefined)
})

it('is refused where the version or the method are others, or are not said', () => {
  const check = (headers: HttpHeaders) => checkHeaders(headers, request('tools/list'), sender)?.message
  expect(check(of('tools/list'))).toBe(undefined)
  expect(check({ ...of('tools/list'), 'mcp-protocol-version': '2025-06-18' })).toMatch(
    /^Header mismatch: MCP-Protocol-Version: expected "2026-07-28", got .*"2025-06-18"/,
  )
  expect(check({ 'mcp-method': 'tools/list' })).toMatch(/MCP-Protocol-Version/)
  expect(check(of('tools/call'))).toMatch(/Mcp-Method: expected "tools\/list"/)
  expect(check({ 'mcp-protocol-version': VERSION })).toMatch(/Mcp-Method/)
})

it('names no more of a long name than is of use', () => {
  const name = 'x'.repeat(101)
  const { message } = checkHeaders(of('tools/call', 'y'), request('tools/call', { name }), sender) ?? {}
  expect(message).toBe(`Header mismatch: Mcp-Name: expected "${'x'.repeat(100)}", got the string "y"`)
})

it('of a sender that cannot be read says why, and of an unknown version whether the header says the same', () => {
  const invalid = new Fault('invalidParams', 'no')
  expect(checkHeaders({}, request('tools/list'), invalid)).toBe(invalid)
  const unknown = new Fault('unsupportedVersion', 'no')
  expect(checkHeaders({ 'mcp-protocol-version': VERSION }, request('tools/list'), unknown)).toBe(undefined)
  expect(checkHeaders({}, request('tools/list'), unknown)?.fault).toBe('headerMismatch')
})

const ARGUMENT = { name: 'Region', path: ['at', 'region'] }

it.each([
  ['west', 'west', true],
  ['west', undefined, false],
  ['west', 'east', false],
  ['wést', base64('wést'), true],
  ['wést', 'wést', false],
  ['w', '=?base64?dw?=', false],
  ['w', '=?base64?!!?=', false],
  ['\ufffd', '=?base64?/w==?=', false],
  ['=?x', '=?x', true],
  [42, '42', true],
  [42, '42.0', true],
  [42, '42.5', false],
  [42, ' 42', false],
  [42, undefined, false],
  [-1.5, '-1.50', true],
  [1000, '1e3', false],
  [true, 'true', true],
  [{ a: 1 }, '{"a":1}', true],
  [undefined, undefined, true],
  [null, undefined, true],
  [null, 'null', false],
  [undefined, 'west', false],
])('an argument of %j with a header of %j fits: %s', (value, sent, fits) => {
  const headers: HttpHeaders = sent === undefined ? {} : { 'mcp-param-region': sent }
  const asked = request('tools/call', { arguments: { at: { region: value } } })
  expect(checkArguments(headers, asked, [ARGUMENT])?.fault).toBe(fits ? undefined : 'headerMismatch')
})

it('finds no argument where there are none, or none of their own', () => {
  for (const args of [undefined, 'text', {}, { at: 'x' }])
    expect(checkArguments({}, request('tools/call', { arguments: args }), [ARGUMENT])).toBe(undefined)
  const inherited = { name: 'Region', path: ['constructor', 'name'] }
  expect(checkArguments({}, request('tools/call', { arguments: {} }), [inherited])).toBe(undefined)
  expect(
    checkArguments({ 'mcp-param-b': 'x' }, request('tools/call', { arguments: {} }), [
      ARGUMENT,
      { name: 'b', path: ['b'] },
    ])?.message,
  ).toBe('Header mismatch: Mcp-Param-b: expected "no such argument", got the string "x"')
})
