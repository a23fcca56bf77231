import { type JsonObject, META, type Revision } from '../kernel/index.ts'

/** Ids have so many digits that messages with different ids have the same length. */
export const FIRST_ID = 1_000_000
export const ID_LENGTH = 7
export const ID_OFFSET = '{"jsonrpc":"2.0","id":'.length

const CLIENT = { name: 'perigee-bench', version: '1.0.0' }

export interface BenchRequest {
  readonly method: string
  readonly params: JsonObject
}

export interface ServerMessage {
  readonly id?: unknown
  readonly method?: string
  readonly result?: JsonObject
  readonly error?: JsonObject
}

/** What opens a conversation: the handshake, or the question that took its place. */
export function opening(revision: Revision): BenchRequest {
  if (revision.opening !== 'handshake') return { method: 'server/discover', params: {} }
  return {
    method: 'initialize',
    params: { protocolVersion: revision.id, capabilities: {}, clientInfo: CLIENT },
  }
}

export const OPENED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

export function printRequest(
  revision: Revision,
  { method, params }: BenchRequest,
  id: number = FIRST_ID,
): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: introduced(revision, params) })
}

/** A revision without a handshake has every request say who sends it, and which notices it wants. */
function introduced(revision: Revision, params: JsonObject): JsonObject {
  if (revision.opening === 'handshake') return params
  const said = {
    [META.protocolVersion]: revision.id,
    [META.clientInfo]: CLIENT,
    [META.clientCapabilities]: {},
    [META.logLevel]: 'info',
  }
  return { ...params, _meta: said }
}

export function callTool(name: string, args: JsonObject): BenchRequest {
  return { method: 'tools/call', params: { name, arguments: args } }
}

/** Whether the bytes of an answer, or of several, tell of a failure. */
export function tellsFailure(bytes: Buffer): boolean {
  return bytes.includes('"error":{') || bytes.includes('"isError":true')
}
