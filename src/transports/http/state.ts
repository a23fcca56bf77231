import type { Incoming, Link, Passing, Principal, Server, Store } from '../../kernel/index.ts'
import type { Traffic } from '../traffic.ts'
import type { Authenticator, BodySink, Exchange } from './exchange.ts'
import type { Places } from './limits.ts'
import type { Node } from './nodes/node.ts'
import type { HttpSettings } from './settings.ts'
import type { EventLog } from './streams/event-log.ts'

/** What could be read: a message or a batch. */
export type ReadableIncoming = Exclude<Incoming, { readonly kind: 'refused' }>

/** A message that somebody has posted. */
export interface Posted<Message extends ReadableIncoming = ReadableIncoming> {
  readonly incoming: Message
  readonly exchange: Exchange
  readonly principal: Principal
}

/** A client that is known beyond one request. */
export interface KnownClient {
  readonly link: Link
  readonly principal: Principal
  /** Keeps alive what is kept of it. */
  touch?(now: number): void
  end(): void
}

/** What all requests to one server share. */
export interface HttpState {
  readonly server: Server
  readonly settings: HttpSettings
  /** The one of the settings, with nothing left out. */
  readonly authenticator: Required<Authenticator> | undefined
  /** Where everything is kept that outlives a request. */
  readonly store: Store
  /** Who we are among those who share the store, where others can. */
  readonly node: Node | undefined
  readonly log: EventLog
  /** A name for a stream that no other has, on any node. */
  nextStream(): string
  /** The clients of 2024-11-05, which hear on one connection and speak on others. */
  readonly pairs: Map<string, KnownClient>
  /** The links of calls that belong to no session. */
  readonly links: Passing<object, Link>
  readonly sinks: Set<BodySink>
  readonly traffic: Traffic
  /** Who takes how many places. */
  readonly places: Places
  /** The most characters that a body has had. */
  largestBody: number
  started: boolean
  closing: boolean
}
