import type { Store } from '../../kernel/index.ts'
import type { HttpBudgets } from './budgets.ts'
import type { CardOptions } from './card/options.ts'
import type { Authenticate, Authenticator, HttpMiddleware, Page } from './exchange.ts'

/** How MCP is served over HTTP, whatever carries it. */
export interface HttpOptions extends Partial<HttpBudgets> {
  /** Where MCP is served. */
  readonly path?: string
  /** Whether the two endpoints of 2024's transport, `/sse` and `/messages`, are served beside it. */
  readonly ssePair?: boolean
  /** Names by which clients may reach us, beside the address we listen on: `mcp.example.com`. */
  readonly allowedHosts?: readonly string[]
  /** Origins whose pages may call us: `https://app.example.com`. */
  readonly allowedOrigins?: readonly string[]
  /** Whether handshake clients may call without a session; then each call stands alone. */
  readonly sessionless?: 'refused' | 'served'
  /** Who may call: `apiKeys(…)`, `oauth(…)`, or a function that knows callers; anybody, unless said. */
  readonly authenticator?: Authenticate | Authenticator | undefined
  /** Whether anybody who can reach the server may call it, also through a proxy, where callers are not asked who they are. */
  readonly allowAnonymous?: boolean
  /** What a proxy takes off the front of paths, so that clients are told whole ones: `/tools`. */
  readonly base?: string
  /** Where it says that it is well, whatever the Host: `/healthz`. */
  readonly health?: string | undefined
  /** Where it says whether clients should be sent here, and why not, whatever the Host: `/readyz`. */
  readonly readiness?: string | undefined
  readonly sessionIdleMs?: number
  /** How often a comment is sent on an open stream, so that nothing on the way takes it for dead. */
  readonly keepAliveMs?: number
  /** How long a client that lost its stream is told to wait. */
  readonly retryMs?: number
  /** How long events are kept for clients that lost their stream. */
  readonly eventsTtlMs?: number
  /** Where events are kept; the server's own store unless said. */
  readonly store?: Store | undefined
  /** Whether it can be found: by its card, at `/server-card` after the path of MCP, and in the catalogue of its host. */
  readonly card?: boolean | CardOptions | undefined
  /** Pages beside the protocol, by path; for those who may call the server, unless they say otherwise. */
  readonly pages?: { readonly [path: string]: Page }
  /** Wraps every HTTP exchange, the first one listed outermost. */
  readonly middleware?: readonly HttpMiddleware[]
}

/** How one server takes over from another. */
export interface Succession {
  /** Whether clients come from the one before with its streams, and are told otherwise what has changed. */
  readonly successor: boolean
}

/** The options, with their defaults. */
export type HttpSettings = Required<HttpOptions> & Succession

const MINUTE = 60_000

/** How long what is under way is waited for when a server closes, unless somebody says otherwise. */
export const GRACE_MS = 30_000

export const DEFAULTS: Omit<HttpSettings, keyof HttpBudgets> = {
  path: '/mcp',
  ssePair: true,
  allowedHosts: [],
  allowedOrigins: [],
  sessionless: 'refused',
  authenticator: undefined,
  allowAnonymous: true,
  base: '',
  health: undefined,
  readiness: undefined,
  sessionIdleMs: 30 * MINUTE,
  keepAliveMs: 15_000,
  retryMs: 1000,
  eventsTtlMs: 5 * MINUTE,
  store: undefined,
  card: undefined,
  pages: {},
  successor: false,
  middleware: [],
}
