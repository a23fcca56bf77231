import type { Fault } from '../faults.ts'

/** A JSON object whose members have not been looked at yet. */
export type JsonObject = { readonly [key: string]: unknown }

/** What JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** `1` and `"1"` are two ids. */
export type Id = string | number

/** A request as it came. */
export interface Request {
  readonly kind: 'request'
  readonly id: Id
  readonly method: string
  readonly params: JsonObject | undefined
  /** The length of the text it came in, which in a batch is that of all of it. */
  readonly length: number
  /** Where a search stands for the tools: whether it calls one that stands there, or another one through it. */
  readonly front?: 'own' | 'through' | undefined
}

/** A message that nobody answers. */
export interface Notification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject | undefined
}

/** What a client answers to a request of the server's. */
export interface Response {
  readonly kind: 'response'
  readonly id: Id
  readonly result: JsonObject | undefined
  readonly error: WireError | undefined
}

/** A message that could be read. */
export type Message = Request | Notification | Response

/** Something that arrived and is no message; `id` is there when it could be read. */
export interface Refused {
  readonly kind: 'refused'
  readonly id: Id | undefined
  readonly fault: Fault
  /** A response is never answered, however broken: two ends that did would never stop. */
  readonly isResponse: boolean
  /** Where it had a method and an id all the same: the request that it would have been. */
  readonly request?: Request
  /** Where it had a method, and no id that can be read or nothing else that can. */
  readonly method?: string
  /** Where it had no method: what can be read of the response that it would have been. */
  readonly response?: { readonly id: unknown; readonly error?: WireError | undefined } | undefined
  /** Where it was a batch of too many: whether one of them is a response, for which somebody may wait. */
  readonly holdsResponses?: boolean
}

export interface Batch {
  readonly kind: 'batch'
  readonly entries: readonly (Message | Refused)[]
}

/** What a transport brings: a message, a batch, or the refusal of what is neither. */
export type Incoming = Message | Refused | Batch

/** An error as it is sent. */
export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** What a request is answered with. */
export type Result = JsonObject

/** What a request or a batch is answered with. */
export type Reply =
  | { readonly jsonrpc: '2.0'; readonly id?: Id; readonly result: Result }
  | { readonly jsonrpc: '2.0'; readonly id?: Id | null; readonly error: WireError }

/** A request of the server's own; without an id it is a notification. */
export interface ServerRequest {
  readonly jsonrpc: '2.0'
  readonly id?: Id
  readonly method: string
  readonly params?: JsonObject
}

/** What leaves a server. */
export type Outgoing = Reply | ServerRequest | readonly Reply[]

/** A whole number that lost digits on the way in would be echoed wrong, so only safe ones count. */
export function isId(id: unknown): id is Id {
  return typeof id === 'string' || Number.isSafeInteger(id) || isFraction(id)
}

/** JSON-RPC advises against such an id, the schemas of MCP have no place for it, and some documents take it. */
export function isFraction(id: unknown): id is number {
  return typeof id === 'number' && Number.isFinite(id) && !Number.isInteger(id)
}

/**
 * Whether it is an object of JSON: no array, and not null.
 * @example const params = isObject(call.params) ? call.params : {}
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a message, whatever else is wrong with it, is somebody's response. */
export function isResponse(value: unknown): boolean {
  return isObject(value) && typeof value['method'] !== 'string' && ('result' in value || 'error' in value)
}
