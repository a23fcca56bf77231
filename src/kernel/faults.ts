import type { WireError } from './jsonrpc/message.ts'
import { cut } from './words/describe.ts'
import { withoutStack } from './words/without-stack.ts'
import { unknownFault, wordlessFault } from './words/wrong-fault.ts'

/**
 * Everything a peer can be told is wrong; a revision or a dialect may give a name another code.
 * @example const { code } = FAULTS.unknownTool
 */
export const FAULTS = {
  parseError: { code: -32700, message: 'Parse error' },
  invalidRequest: { code: -32600, message: 'Invalid request' },
  methodNotFound: { code: -32601, message: 'Method not found' },
  invalidParams: { code: -32602, message: 'Invalid params' },
  internalError: { code: -32603, message: 'Internal error' },
  notInitialized: { code: -32600, message: 'Server not initialized: send initialize first' },
  alreadyInitialized: { code: -32600, message: 'Invalid request: the server is already initialized' },
  unknownTool: { code: -32602, message: 'Unknown tool' },
  failedTool: { code: -32603, message: 'Tool execution failed' },
  invalidArguments: { code: -32602, message: 'Invalid arguments' },
  unknownPrompt: { code: -32602, message: 'Unknown prompt' },
  resourceNotFound: { code: -32002, message: 'Resource not found' },
  invalidState: { code: -32602, message: 'Invalid requestState' },
  headerMismatch: { code: -32020, message: 'Header mismatch' },
  missingCapability: { code: -32021, message: 'Missing required client capability' },
  unsupportedVersion: { code: -32022, message: 'Unsupported protocol version' },
  refusedVersion: { code: -32602, message: 'Unsupported protocol version' },
  // The last two are our own, so they lie outside the range that JSON-RPC and MCP keep for themselves.
  insufficientScope: { code: 403, message: 'Insufficient scope' },
  rateLimited: { code: 429, message: 'Too many requests' },
} as const

/** The name of something a peer can be told. */
export type FaultName = keyof typeof FAULTS

/** Other codes for faults, or other codes and other words. */
export type Codes = {
  readonly [name in FaultName]?: number | { readonly code: number; readonly message: string }
}

/**
 * The one kind of error a peer can cause to appear; any other is a mistake of ours and told as -32603.
 * @example throw new Fault('invalidParams', 'There is no page 7: the last one is 6')
 */
export class Fault extends Error {
  readonly fault: FaultName
  readonly data: unknown
  /** What only a server whose dialect is talkative tells, or how it is found. */
  readonly details: unknown
  /** What the log tells. The message may quote what a peer has sent, so it is the name of the kind unless said. */
  readonly logged: string

  constructor(fault: FaultName, message?: string, data?: unknown, details?: unknown, logged?: string) {
    if (!Object.hasOwn(FAULTS, fault)) throw unknownFault(fault, Object.keys(FAULTS))
    if (message !== undefined && typeof message !== 'string') throw wordlessFault(message)
    super(message ?? FAULTS[fault].message)
    this.name = 'Fault'
    this.fault = fault
    this.data = data
    this.details = details
    this.logged = logged ?? FAULTS[fault].message
  }
}

/**
 * A fault that says nothing but what we say ourselves: the log may have it word for word.
 * @example throw plainFault('invalidRequest', 'A batch must not be empty')
 */
export function plainFault(fault: FaultName, message: string, data?: unknown): Fault {
  return new Fault(fault, message, data, undefined, message)
}

/**
 * An error that was told once and is told again, word for word.
 * @example throw new Told({ code: -32602, message: 'Unknown tool: sum' })
 */
export class Told extends Error {
  readonly wire: WireError
  /** What the log tells, as with a fault. */
  readonly logged: string

  constructor(wire: WireError, logged?: string) {
    super(wire.message)
    this.wire = wire
    this.logged = logged ?? kindOf(wire.code)
  }
}

/** What a code means to everybody. */
function kindOf(code: number): string {
  return Object.values(FAULTS).find((one) => one.code === code)?.message ?? 'Refused'
}

export function methodNotFound(method: string): Fault {
  const requestedMethod = cut(method)
  return new Fault('methodNotFound', `Method not found: ${requestedMethod}`, undefined, { requestedMethod })
}

/**
 * Anything can be thrown, also what throws again when it is looked at; what this gives does not.
 * @example console.error(legible(new Error('no')))
 */
export function legible(thrown: unknown): unknown {
  try {
    look(thrown)
    return thrown
  } catch {
    return withoutStack(thrown, look)
  }
}

function look(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}${thrown.message}${thrown.stack}` : String(thrown)
}

/** What a peer is told of a mistake of ours. */
export const INTERNAL = new Fault('internalError', undefined, undefined, {
  details: 'Something went wrong inside the server; its log says what.',
})

/**
 * The single place where an exception becomes a message; later codes win over earlier ones.
 * @example const { code, message } = toWire(new Fault('unknownTool', 'Unknown tool: sum'))
 */
export function toWire(error: unknown, ...overrides: readonly Codes[]): WireError {
  if (error instanceof Told) return error.wire
  const { fault, message, data } = error instanceof Fault ? error : INTERNAL
  const chosen = overrides.findLast((codes) => codes[fault] !== undefined)?.[fault] ?? FAULTS[fault].code
  if (typeof chosen === 'number')
    return data === undefined ? { code: chosen, message } : { code: chosen, message, data }
  // Other words must not hide what was wrong.
  const detail = message === chosen.message ? undefined : { detail: message }
  const told = data ?? detail
  return told === undefined ? chosen : { ...chosen, data: told }
}
