import { sizeOf } from '../budgets/check.ts'
import { SUBSCRIPTION } from '../calls/interest.ts'
import type { Link } from '../calls/link.ts'
import type { Peer } from '../calls/peer.ts'
import type { Implementation } from '../definitions/implementation.ts'
import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { isLogLevel, type LogLevel } from '../log-level.ts'
import { findRevision } from '../revisions/index.ts'
import { broadcastTo } from './broadcast.ts'

/** What a client has said of itself, and in which revision. */
interface Introduction {
  readonly revision: string
  readonly capabilities: JsonObject
  readonly info?: Implementation | undefined
}

/** What a handshake client and we have agreed on: one value, which can be written down and taken up by another link. */
export interface Agreement {
  readonly introduction: Introduction
  readonly operating: boolean
  readonly logLevel?: LogLevel | undefined
  readonly subscriptions?: readonly string[]
}

/**
 * Whether something that was kept is an agreement; whoever may use a store may write anything there.
 * @example const went = (kept: unknown) => isAgreement(kept) && restore(link, kept)
 */
export function isAgreement(value: unknown): value is Agreement {
  if (!isObject(value) || !isObject(value['introduction'])) return false
  const { introduction, operating, logLevel, subscriptions = [] } = value
  return (
    typeof introduction['revision'] === 'string' &&
    isObject(introduction['capabilities']) &&
    typeof operating === 'boolean' &&
    (logLevel === undefined || isLogLevel(logLevel)) &&
    Array.isArray(subscriptions) &&
    subscriptions.every((uri) => typeof uri === 'string')
  )
}

/**
 * Undefined before the handshake.
 * @example const kept = agreementOf(link)
 */
export function agreementOf({ peer, state, logLevel, subscriptions }: Link): Agreement | undefined {
  if (peer === undefined) return undefined
  const { revision, capabilities, info } = peer
  return {
    introduction: { revision: revision.id, capabilities, info },
    operating: state === 'operating',
    logLevel,
    ...(subscriptions.size > 0 && { subscriptions: [...subscriptions] }),
  }
}

/**
 * Goes on where another link left off; tells whether that was in a revision that is spoken here.
 * @example
 * const next = server.open({ outlet: NOWHERE })
 * const kept = agreementOf(link)
 * if (kept !== undefined) restore(next, kept)
 */
export function restore(link: Link, agreement: Agreement): boolean {
  const peer = peerOf(link, agreement.introduction)
  if (peer === undefined) return false
  link.peer = peer
  link.spoken = peer.revision
  link.logLevel = agreement.logLevel
  link.subscriptions.replace(agreement.subscriptions ?? [])
  link.server.held.remove(link)
  link.server.held.count(link, sizeOf(agreement) + SUBSCRIPTION * link.subscriptions.size)
  if (!agreement.operating) link.state = 'initializing'
  else if (link.state !== 'operating') link.operate(broadcastTo(link))
  link.unsaved = false
  return true
}

function peerOf({ server }: Link, { revision: id, capabilities, info }: Introduction): Peer | undefined {
  const revision = server.revisions.find((one) => one.id === id) ?? findRevision(id)
  return revision && { revision, capabilities, info, logLevel: undefined }
}
