import { isObject, META, type Revision } from '../../kernel/index.ts'
import type { HeaderMap, Sent } from '../wire.ts'

/** Which parameter of a method the header `Mcp-Name` repeats. */
const NAMED: { readonly [method: string]: string } = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** What a session is known by: nothing before the handshake. */
export interface SessionState {
  readonly id: string | undefined
  readonly revision: Revision | undefined
}

/** What a message is, and what may answer it. */
const [ACCEPT, TYPE] = ['application/json, text/event-stream', 'application/json']

/** The headers that go with a message: those of its session or, where each message says its revision, its own, and `more`. */
export function headersFor(message: Sent, session: SessionState, more: HeaderMap = {}): HeaderMap {
  const version = versionOf(message)
  const headers = version === undefined ? headersIn(session) : headersAlone(message, version)
  return Object.keys(more).length === 0 ? headers : { ...headers, ...more }
}

export function sessionHeaders({ id, revision }: SessionState): HeaderMap {
  return {
    ...(id !== undefined && { 'mcp-session-id': id }),
    ...(revision !== undefined && { 'mcp-protocol-version': revision.id }),
  }
}

// What most messages have is written out, since to put objects together takes longer than to print them.

function headersIn(session: SessionState): HeaderMap {
  const { id, revision } = session
  if (id === undefined || revision === undefined)
    return { accept: ACCEPT, 'content-type': TYPE, ...sessionHeaders(session) }
  return { accept: ACCEPT, 'content-type': TYPE, 'mcp-session-id': id, 'mcp-protocol-version': revision.id }
}

function headersAlone({ method = '', params }: Sent, version: string): HeaderMap {
  const key = Object.hasOwn(NAMED, method) ? NAMED[method] : undefined
  const name = key === undefined ? undefined : params?.[key]
  const headers = {
    accept: ACCEPT,
    'content-type': TYPE,
    'mcp-protocol-version': version,
    'mcp-method': method,
  }
  return typeof name === 'string' ? { 'mcp-name': encodeHeader(name), ...headers } : headers
}

/** The revision that a message names, where it needs no session. */
export function versionOf({ params }: Sent): string | undefined {
  const meta = params?.['_meta']
  const version = isObject(meta) ? meta[META.protocolVersion] : undefined
  return typeof version === 'string' ? version : undefined
}

/** What cannot stand in a header as it is goes as `=?base64?…?=`. */
export function encodeHeader(value: string): string {
  const plain = /^[\x20-\x7e]*$/.test(value) && value.trim() === value && !value.startsWith('=?')
  if (plain) return value
  const bytes = new TextEncoder().encode(value)
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`
}
