import { FAULTS, Fault, type LogLevel, type StoreOperation, Told } from '../../kernel/index.ts'
import { namedFlag } from './named-flag.ts'
import { tellText } from './redact.ts'
import type { Subject } from './subject.ts'

/** How a request came out. */
export type CallEnding =
  | { readonly outcome: 'ok' | 'cancelled' }
  | ({ readonly outcome: 'tool_error' } & Allowing)
  | ({ readonly outcome: 'error'; readonly code: number; readonly message: string } & Allowing)

/** Of what was refused for being too much. */
export interface Allowing {
  /** What would have allowed it: `--max-line`. */
  readonly flag?: string | undefined
}

/** Everything that can be told; `time` is in milliseconds since 1970. */
export type TelemetryRecord =
  | ReceivedRecord
  | InvokedRecord
  | CompletedRecord
  | UnreadableRecord
  | TurnedAwayRecord
  | CrashedRecord
  | NotedRecord
  | StoredRecord
  | OpenedRecord
  | ClosedRecord

/** A call has come. */
export interface ReceivedRecord extends Subject {
  readonly kind: 'received'
  readonly time: number
}

/** A tool worked; one that does not exist, or whose arguments were refused, did not. It is told before the request that called it is completed. */
export type InvokedRecord = CallEnding & {
  readonly kind: 'invoked'
  readonly time: number
  readonly id: Subject['id']
  readonly tool: string
  readonly durationMs: number
  /** As JSON, and only if they are asked for. */
  readonly arguments: string | undefined
  readonly result: string | undefined
}

/** A call has come to its end. */
export type CompletedRecord = Subject &
  CallEnding & {
    readonly kind: 'completed'
    readonly time: number
    readonly durationMs: number
    /** The revision spoken, once that is settled. */
    readonly protocol: string | undefined
    /** It was turned away before it became a call. */
    readonly refused?: true
    /** Its caller may not do it, or not now; `told` where its transport has said so by a record of its own. */
    readonly denied?: 'here' | 'told' | undefined
    /** How many others of this code were denied that nothing was said of. */
    readonly unsaid?: number
  }

/** Something came that was no message. */
export interface UnreadableRecord extends Allowing {
  readonly kind: 'unreadable'
  readonly time: number
  readonly code: number
  readonly message: string
  /** How many others of this code there were that nothing was said of. */
  readonly unsaid?: number
}

/** An HTTP request that was turned away. */
export interface TurnedAwayRecord extends Allowing {
  readonly kind: 'turned-away'
  readonly time: number
  readonly status: number
  readonly message: string
  /** The method of HTTP. */
  readonly verb: string
  readonly path: string
  readonly from: string | undefined
  /** How many others of this status there were that nothing was said of. */
  readonly unsaid?: number
}

/** A mistake on our side; its message, for those who mend it, is what the author's code made of it. */
export interface CrashedRecord extends Partial<Pick<Subject, 'tool' | 'prompt' | 'uri'>> {
  readonly kind: 'crashed'
  readonly time: number
  readonly method: string
  readonly error: string
  readonly message: string | undefined
  readonly stack: readonly string[]
  /** How many others there were, of those that need nobody to be let in, that nothing was said of. */
  readonly unsaid?: number
}

/** Something that whoever runs the server should know, in words. */
export interface NotedRecord {
  readonly kind: 'noted'
  readonly time: number
  readonly level: LogLevel
  readonly message: string
  /** The place in a file that it is about, in lines of its own. */
  readonly stack?: readonly string[]
}

/** A store that nodes share has done something, or failed to. */
export interface StoredRecord {
  readonly kind: 'stored'
  readonly time: number
  readonly operation: StoreOperation
  readonly durationMs: number
  readonly outcome: 'ok' | 'error'
  /** What it is: `redis://10.0.0.5:6379/0`. */
  readonly store: string | undefined
}

/** A client has come. */
export interface OpenedRecord {
  readonly kind: 'opened'
  readonly time: number
  readonly protocol: string | undefined
  readonly client: string | undefined
}

/** A client has left. */
export interface ClosedRecord {
  readonly kind: 'closed'
  readonly time: number
  readonly protocol: string | undefined
  readonly durationMs: number
}

/** How urgent it is that a request came out so. */
export const LEVEL_OF_OUTCOME: Record<CallEnding['outcome'], LogLevel> = {
  ok: 'info',
  cancelled: 'notice',
  // The tool has answered, and the model is told.
  tool_error: 'warning',
  error: 'error',
}

/** What a caller may not do is nothing that is broken. */
const LEVEL_OF_DENIED: Record<'here' | 'told', LogLevel> = { here: 'warning', told: 'info' }

/** How urgent it is that something happened. */
export const LEVEL_OF: {
  readonly [Kind in TelemetryRecord['kind']]: (record: Extract<TelemetryRecord, { kind: Kind }>) => LogLevel
} = {
  received: () => 'debug',
  // How it failed is said once, by the request that called it.
  invoked: () => 'info',
  completed: ({ outcome, denied }) =>
    denied === undefined ? LEVEL_OF_OUTCOME[outcome] : LEVEL_OF_DENIED[denied],
  unreadable: () => 'error',
  // Clients ask for pages that need not be there; whatever else is turned away, somebody may have to mend.
  'turned-away': ({ status }) => (status === 404 || status === 405 ? 'info' : 'warning'),
  crashed: () => 'error',
  noted: ({ level }) => level,
  // A store that is away is told of once, by whoever uses it.
  stored: () => 'debug',
  opened: () => 'info',
  closed: () => 'info',
}

/** What a fault says may quote what the client sent; what it has for the log does not. */
export function messageOf(error: unknown, recordArguments: boolean): string {
  if (!(error instanceof Fault || error instanceof Told)) return FAULTS.internalError.message
  return tellText(recordArguments ? error.message : error.logged)
}

/** A fault as the log tells it. */
export function explainFault(
  error: unknown,
  recordArguments: boolean,
): { readonly message: string; readonly flag: string | undefined } {
  const flag = error instanceof Fault ? namedFlag(error.message) : undefined
  return { message: messageOf(error, recordArguments), flag }
}

/** More digits than a clock can mean only make lines longer. */
export function toMicros(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}
