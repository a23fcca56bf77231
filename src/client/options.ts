import { type Implementation, type JsonObject, type LogLevel, VERSION } from '../kernel/index.ts'
import type { Answers } from './answers.ts'
import type { Intake } from './intake.ts'
import type { Limits } from './limits.ts'
import type { Notification } from './requesting.ts'
import type { Headed } from './wires/fetching.ts'

/** Who the client is, what it answers, and how long it waits. */
export interface ConnectOptions {
  /** Speaks this revision or none; unless said, the newest that both know. */
  readonly revision?: string
  /** What the server spoke when it was last connected to: asked so first, and in any other way where it speaks another now. */
  readonly likely?: string
  /** What the client says when the server asks. */
  readonly answers?: Answers
  /** What the client can do, beside what its answers say: `{ elicitation: { form: {}, url: {} } }`. */
  readonly capabilities?: JsonObject
  /** What the client calls itself. */
  readonly info?: Implementation
  /** With every request over HTTP: `{ authorization: 'Bearer …' }`, or a function that gives it. */
  readonly headers?: Headed
  /** In the place of Node's own client and, elsewhere, of the global `fetch`. */
  readonly fetch?: typeof fetch
  /** How long nothing may be heard of a request, in milliseconds. */
  readonly timeoutMs?: number
  /** How much the server is to log to the client. */
  readonly logLevel?: LogLevel
  /** Hears everything that the server tells. */
  readonly onNotification?: (notification: Notification) => void
  /** Hears that the server had forgotten the session, and that another was opened. */
  readonly onReopened?: () => void
  /** Hears of what went wrong and no request waits for. */
  readonly onError?: (error: Error) => void
  /** Gives up connecting. */
  readonly signal?: AbortSignal
  readonly limits?: Partial<Limits>
  /** Counts what is arriving, for clients that have one room for it. */
  readonly intake?: Intake
}

/** The same with what nobody chose. */
export interface Settled {
  readonly revision: string | undefined
  readonly likely: string | undefined
  readonly answers: Answers
  readonly capabilities: JsonObject
  readonly info: Implementation
  readonly headers: Headed | undefined
  readonly fetch: typeof fetch | undefined
  readonly timeoutMs: number
  readonly logLevel: LogLevel | undefined
  readonly onNotification: (notification: Notification) => void
  readonly onReopened: () => void
  readonly onError: (error: Error) => void
  readonly signal: AbortSignal | undefined
  readonly limits: Partial<Limits>
  readonly intake: Intake | undefined
}

export const DEFAULTS: Settled = {
  revision: undefined,
  likely: undefined,
  answers: {},
  capabilities: {},
  info: { name: 'perigee', version: VERSION },
  headers: undefined,
  fetch: undefined,
  timeoutMs: 60_000,
  logLevel: undefined,
  onNotification: () => {},
  onReopened: () => {},
  onError: () => {},
  signal: undefined,
  limits: {},
  intake: undefined,
}
