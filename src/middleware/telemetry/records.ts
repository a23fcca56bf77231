import {
  type Call,
  FAULTS,
  Fault,
  type Id,
  isObject,
  type JsonObject,
  type LogLevel,
  REVISIONS,
  type Request,
  type Result,
} from '../../kernel/index.ts'
import { cut, redact } from './discretion.ts'

/** What a request is about. */
export interface Subject {
  readonly method: string
  readonly id: Id
  readonly tool: string | undefined
  readonly prompt: string | undefined
  readonly uri: string | undefined
  /** What the server does not have: such names come from clients, and there is no end of them. */
  readonly unknown: 'method' | 'target' | undefined
}

/** How a request came out. */
export type Ending =
  | { readonly outcome: 'ok' | 'tool_error' | 'cancelled' }
  | { readonly outcome: 'error'; readonly code: number; readonly message: string }

/** Everything that can be told; `time` is in milliseconds since 1970. */
export type TelemetryRecord =
  | ReceivedRecord
  | InvokedRecord
  | CompletedRecord
  | UnreadableRecord
  | TurnedAwayRecord
  | CrashedRecord
  | NotedRecord
  | OpenedRecord
  | ClosedRecord

export interface ReceivedRecord extends Subject {
  readonly kind: 'received'
  readonly time: number
}

/** A tool worked; one that does not exist, or whose arguments were refused, did not. It is told before the request that called it is completed. */
export type InvokedRecord = Ending & {
  readonly kind: 'invoked'
  readonly time: number
  readonly id: Id
  readonly tool: string
  readonly durationMs: number
  /** As JSON, and only if they are asked for. */
  readonly arguments: string | undefined
  readonly result: string | undefined
}

export type CompletedRecord = Subject &
  Ending & {
    readonly kind: 'completed'
    readonly time: number
    readonly durationMs: number
    /** The revision spoken, once that is settled. */
    readonly protocol: string | undefined
    /** It was turned away before it became a call. */
    readonly refused?: true
  }

/** Something came that was no message. */
export interface UnreadableRecord {
  readonly kind: 'unreadable'
  readonly time: number
  readonly code: number
  readonly message: string
  /** How many others of this code there were that nothing was said of. */
  readonly unsaid?: number
}

/** An HTTP request that was turned away. */
export interface TurnedAwayRecord {
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
}

/** Something that whoever runs the server should know, in words. */
export interface NotedRecord {
  readonly kind: 'noted'
  readonly time: number
  readonly level: LogLevel
  readonly message: string
}

export interface OpenedRecord {
  readonly kind: 'opened'
  readonly time: number
  readonly protocol: string | undefined
  readonly client: string | undefined
}

export interface ClosedRecord {
  readonly kind: 'closed'
  readonly time: number
  readonly protocol: string | undefined
  readonly durationMs: number
}

/** How urgent it is that a request came out so. */
export const LEVEL_OF_OUTCOME: Record<Ending['outcome'], LogLevel> = {
  ok: 'info',
  cancelled: 'notice',
  // The tool has answered, and the model is told.
  tool_error: 'warning',
  error: 'error',
}

const LEVEL_OF_KIND: Record<
  Exclude<TelemetryRecord['kind'], 'completed' | 'noted' | 'turned-away'>,
  LogLevel
> = {
  received: 'debug',
  // How it failed is said once, by the request that called it.
  invoked: 'info',
  unreadable: 'error',
  crashed: 'error',
  opened: 'info',
  closed: 'info',
}

const USUAL = new Set([404, 405])

export function levelOf(record: TelemetryRecord): LogLevel {
  if (record.kind === 'noted') return record.level
  // Clients ask for pages that need not be there; whatever else is turned away, somebody may have to mend.
  if (record.kind === 'turned-away') return USUAL.has(record.status) ? 'info' : 'warning'
  return record.kind === 'completed' ? LEVEL_OF_OUTCOME[record.outcome] : LEVEL_OF_KIND[record.kind]
}

/** Stands for every name that the server does not have. */
export const OTHER = '_OTHER'

export function boundedMethod(method: string): string {
  return KNOWN_METHODS.has(method) ? method : OTHER
}

/** The same names in a bounded number of words. */
export function bounded({ method, tool, prompt, unknown }: Subject): {
  readonly method: string
  readonly tool: string | undefined
  readonly prompt: string | undefined
} {
  if (unknown === undefined) return { method, tool, prompt }
  return {
    method: unknown === 'method' ? OTHER : method,
    tool: tool === undefined ? undefined : OTHER,
    prompt: prompt === undefined ? undefined : OTHER,
  }
}

/** Names are short where they are honest. */
const MAX_NAME = 128

const MAX_URI = 512

/** More is not even looked at. */
const MAX_READ = 8192

const KNOWN_METHODS = new Set([...REVISIONS.flatMap((revision) => revision.requests), 'exit'])

type Named = { readonly list: 'tools' | 'prompts'; readonly name: string }

type Target = Named | { readonly uri: string }

const LISTS = { 'tools/call': 'tools', 'prompts/get': 'prompts' } as const

const WITH_URI = ['resources/read', 'resources/subscribe', 'resources/unsubscribe']

/** Says what a request is about; of one that became no call the server is not known, nor what it has. */
export function describeRequest({ method, id, params }: Request, call?: Call): Subject {
  const target = findTarget(method, params)
  const name = target !== undefined && 'list' in target ? cut(target.name, MAX_NAME) : undefined
  return {
    method: cut(method, MAX_NAME),
    id: typeof id === 'string' ? cut(id, MAX_NAME) : id,
    tool: method === 'tools/call' ? name : undefined,
    prompt: method === 'prompts/get' ? name : undefined,
    uri: target !== undefined && 'uri' in target ? tellUri(target.uri) : undefined,
    unknown: findUnknown(method, target, call),
  }
}

/** Where a resource is, without what is asked of it or who asks. */
function tellUri(uri: string): string {
  const place = redact(cut(uri, MAX_READ).replace(/[?#].*$/s, '?…'))
  return cut(place, MAX_URI)
}

function findTarget(method: string, params: JsonObject | undefined): Target | undefined {
  if (method === 'tools/call' || method === 'prompts/get') {
    const name = params?.['name']
    return typeof name === 'string' ? { list: LISTS[method], name } : undefined
  }
  const uri = WITH_URI.includes(method) ? params?.['uri'] : undefined
  return typeof uri === 'string' ? { uri } : undefined
}

function findUnknown(method: string, target: Target | undefined, call: Call | undefined): Subject['unknown'] {
  const { server, peer } = call ?? {}
  if (!KNOWN_METHODS.has(method) && peer?.revision.requests.includes(method) !== true) return 'method'
  if (target === undefined || !('list' in target)) return undefined
  return server?.[target.list].has(target.name) === true ? undefined : 'target'
}

export const OK: Ending = { outcome: 'ok' }
export const CANCELLED: Ending = { outcome: 'cancelled' }
const TOOL_ERROR: Ending = { outcome: 'tool_error' }

export function endingOf(result: Result): Ending {
  return result['isError'] === true ? TOOL_ERROR : OK
}

/** What a fault says may quote what the client sent; what it has for the log does not. */
export function messageOf(error: unknown, recordArguments: boolean): string {
  if (!(error instanceof Fault)) return FAULTS.internalError.message
  return recordArguments ? redact(cut(error.message, MAX_URI)) : error.logged
}

const MAX_FRAMES = 10

/** Where an error came from, without what it says. */
export function framesOf(error: unknown): readonly string[] {
  const stack = isObject(error) && typeof error['stack'] === 'string' ? error['stack'] : ''
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, MAX_FRAMES)
}
