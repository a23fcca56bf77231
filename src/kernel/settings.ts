import { cacheHint, resultBudget } from './check/common.ts'
import { expecting, flag, type Members, oneOf, text, texts } from './check/members.ts'
import type { CacheHint } from './definitions/implementation.ts'
import type { ResultBudget } from './definitions/tool.ts'
import { LOG_LEVELS, type LogLevel } from './log-level.ts'

/** What one may want to choose for a server. */
export interface Settings {
  /** Told to clients when they connect: how this server is meant to be used. */
  readonly instructions: string | undefined
  /** The level of log notices for handshake clients that set none; `off` has them ask first. */
  readonly logLevel: LogLevel | 'off'
  /** How many entries a page of a list has. */
  readonly pageSize: number
  /** How long lists keep. Some clients list again before every step when this is 0. */
  readonly listCache: CacheHint
  /** How long a client may take to come back with the answers a call needs. */
  readonly stateTtlMs: number
  /** How long a client may take to answer a question of ours: there may be a person behind it. */
  readonly answerTimeoutMs: number
  /** How long a task is kept, unless its client wants it kept for less. */
  readonly taskTtlMs: number
  /** Whether errors may carry the stacks of our own functions. */
  readonly debug: boolean
  /** Whether callers whose scopes are limited may use what asks for no scope; if not, they need `unscoped`. */
  readonly unscoped: 'open' | 'closed'
  /** Scopes that only what is made at run time asks for: so that they can be granted before it is there. */
  readonly laterScopes: readonly string[]
  /**
   * What clients are shown of the tools: all of them; a `search` and a `call` in their place; a `search` and a `run` for
   * scripts that call them; or `auto`, a search where all of them would take up too much of a model's context.
   */
  readonly offer: 'all' | 'search' | 'code' | 'auto'
  /** Whether a script has to ask the user before it calls a tool with `destructiveHint`. */
  readonly destructive: 'ask' | 'allow'
  /** Whether hosts that do not take every schema are listed tools with schemas they take, by the names they give. */
  readonly fit: 'host' | 'off'
  /** How many tokens a result may have before what is more of it becomes a link; a tool may say otherwise. */
  readonly budget: ResultBudget | undefined
}

const MINUTE = 60_000

/**
 * What holds where nothing is said.
 * @example const settings: Settings = { ...DEFAULT_SETTINGS, unscoped: 'closed' }
 */
export const DEFAULT_SETTINGS: Settings = {
  instructions: undefined,
  logLevel: 'info',
  pageSize: 1000,
  listCache: { ttlMs: MINUTE, cacheScope: 'public' },
  stateTtlMs: 15 * MINUTE,
  answerTimeoutMs: 10 * MINUTE,
  taskTtlMs: 60 * MINUTE,
  debug: false,
  unscoped: 'open',
  laterScopes: [],
  offer: 'all',
  destructive: 'ask',
  fit: 'host',
  budget: undefined,
}

const count = expecting('a whole number above 0', (value) => Number.isInteger(value) && Number(value) > 0)

const time = expecting('milliseconds from 0 on', (value) => typeof value === 'number' && value >= 0)

/**
 * How each setting of a definition is looked at.
 * @example const settings = membersOf(SETTING_CHECKS)
 */
export const SETTING_CHECKS: Members<Settings> = {
  instructions: text,
  logLevel: oneOf(...LOG_LEVELS, 'off'),
  pageSize: count,
  listCache: cacheHint,
  stateTtlMs: time,
  answerTimeoutMs: time,
  taskTtlMs: time,
  debug: flag,
  unscoped: oneOf('open', 'closed'),
  laterScopes: texts,
  offer: oneOf('all', 'search', 'code', 'auto'),
  destructive: oneOf('ask', 'allow'),
  fit: oneOf('host', 'off'),
  budget: resultBudget,
}
