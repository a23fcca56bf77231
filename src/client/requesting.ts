import type { Id, JsonObject } from '../kernel/index.ts'
import type { Clock } from './clock.ts'
import type { OnBehalf } from './on-behalf.ts'
import type { HeaderMap } from './wire.ts'
import type { StopSignal } from './wires/stop.ts'

/** How far a request has come. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** How one request is made. */
export interface RequestOptions {
  /** Gives the request up; the server is told. */
  readonly signal?: AbortSignal | undefined
  /** How long nothing may be heard of it, in milliseconds. */
  readonly timeoutMs?: number | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Hears what came in `_meta` of each page of a list, and the page. */
  readonly onPage?: ((meta: JsonObject, page: JsonObject) => void) | undefined
  /** What goes into `_meta`, beside what the protocol puts there. */
  readonly meta?: JsonObject | undefined
}

/** A request as the client's own parts make it. */
export interface Requesting extends Omit<RequestOptions, 'signal'> {
  readonly signal?: StopSignal | undefined
  readonly headers?: HeaderMap | undefined
  /** Declared for this request, beside what the client can anyway. */
  readonly capabilities?: JsonObject | undefined
  /** Hears what comes for this request while it is under way. */
  readonly onNotification?: ((notification: Notification) => void) | undefined
  /** For whom it is made, where that is somebody else. */
  readonly exchange?: OnBehalf | undefined
  /** How long it may take in all. */
  readonly totalMs?: number | undefined
}

/** Something a server tells, and does not want to have answered. */
export interface Notification {
  readonly method: string
  readonly params: JsonObject
}

/** A request without its answer. */
export interface PendingRequest {
  readonly id: Id
  readonly method: string
  /** None where it may take for ever. */
  readonly clock: Clock | undefined
  readonly onProgress: RequestOptions['onProgress']
  readonly onNotification: Requesting['onNotification']
  readonly exchange: OnBehalf | undefined
  resolve(result: JsonObject): void
  reject(error: unknown): void
  /** Nobody listens to its signal any more. */
  leave(): void
}
