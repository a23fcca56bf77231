import type { Id, JsonObject, Revision, WireError } from '../kernel/index.ts'

/** A message of the client's: a request, a notification, or the answer to a question. */
export interface Sent {
  readonly jsonrpc: '2.0'
  readonly id?: Id
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: JsonObject
  readonly error?: WireError
}

/** What carries messages to one server and back. What goes wrong on the way is told to the ear. */
export interface Wire {
  /** Resolves when the message has been handed over, rejects what is no JSON; the rest is for those with headers or sessions. */
  send(message: Sent, headers?: HeaderMap, cleared?: Clearance): Promise<void>
  /** Nobody waits for the answer to this request any more. */
  cancel(id: Id, reason: string): void
  /** This request has been answered otherwise than on its own way, where it has one: nothing more is wanted there. */
  answered?(id: Id): void
  /** What both speak from here on, which a server that is reached by requests is told with each of them. */
  agreed?(revision: Revision): void
  /** A handshake has been made. */
  opened(): void
  /** Whether the server keeps something for this client alone: a session, or a process. */
  readonly keeps: boolean
  /** What the server can tell something by that nobody asked for, another after a gap; absent where it always can. */
  readonly stream?: object | undefined
  close(): Promise<void>
}

/** Resolves when a method may be called in the session that there is now; undefined where it may at once. */
export type Clearance = (method: string) => Promise<void> | undefined

export type HeaderMap = { readonly [name: string]: string }

/** Whoever listens at the near end of a wire. */
export interface Ear {
  /** `during` is the request with whose answer it came, where each has a way of its own. */
  hear(text: string, during?: Id): void
  /** Whether a request is still without its answer. */
  awaits(id: Id): boolean
  /** A request will not be answered; without an id, none will. */
  fail(error: Error, id?: Id): void
  /** The server has let go of the connection of a request, whose answer will be fetched. */
  leftOpen?(id: Id): void
  /** Something went wrong that no request waits for. */
  warn(error: Error): void
  /** Makes the handshake again, because the server has forgotten the session. */
  reopen(): Promise<void>
}

export type OpenWire = (ear: Ear) => Wire | Promise<Wire>
