import type { Store } from '../../kernel/index.ts'
import type { Authenticator, Exchange } from './exchange.ts'

export interface HttpSettings {
  /** Where MCP is served. */
  readonly path: string
  /** Whether the two endpoints of 2024's transport, `/sse` and `/messages`, are served beside it. */
  readonly ssePair: boolean
  /** Names by which clients may reach us, beside the address we listen on: `mcp.example.com`. */
  readonly allowedHosts: readonly string[]
  /** Origins whose pages may call us: `https://app.example.com`. */
  readonly allowedOrigins: readonly string[]
  /** Whether handshake clients may call without a session; then each call stands alone. */
  readonly sessionless: 'refused' | 'served'
  readonly authenticator: Authenticator | undefined
  readonly maxBodyBytes: number
  readonly maxSessions: number
  readonly maxStreamsPerSession: number
  readonly maxStreams: number
  readonly maxCalls: number
  readonly sessionIdleMs: number
  /** How often a comment is sent on an open stream, so that nothing on the way takes it for dead. */
  readonly keepAliveMs: number
  /** A stream whose reader leaves more than this unread is dropped. */
  readonly maxUnreadBytes: number
  /** How long a client that lost its stream is told to wait. */
  readonly retryMs: number
  /** How many events of a stream are kept for clients that lost it, and for how long. */
  readonly eventsKept: number
  readonly eventsTtlMs: number
  /** Where events are kept; the server's own store unless said. */
  readonly store: Store | undefined
  /** Pages beside the protocol, by path. */
  readonly pages: { readonly [path: string]: (exchange: Exchange) => void }
}

const MINUTE = 60_000
const MiB = 1024 * 1024

export const DEFAULTS: HttpSettings = {
  path: '/mcp',
  ssePair: true,
  allowedHosts: [],
  allowedOrigins: [],
  sessionless: 'refused',
  authenticator: undefined,
  maxBodyBytes: MiB,
  maxSessions: 10_000,
  maxStreamsPerSession: 16,
  maxStreams: 10_000,
  maxCalls: 1000,
  sessionIdleMs: 30 * MINUTE,
  keepAliveMs: 15_000,
  maxUnreadBytes: MiB,
  retryMs: 1000,
  eventsKept: 256,
  eventsTtlMs: 5 * MINUTE,
  store: undefined,
  pages: {},
}
