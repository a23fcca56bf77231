import { hashContract } from '../../contract/tool-contract.ts'
import type { Call, Link } from '../../kernel/index.ts'
import { declaredOf } from './declared.ts'
import type { PlainHeaders } from './forwarded.ts'

/** Whoever a connection is for. */
export interface Holding extends Pick<Call, 'link' | 'owner' | 'peer'> {
  /** What of its headers the upstream is told. */
  readonly forwarded?: PlainHeaders | undefined
}

/** Whoever a connection is for, as it was last seen: a client over HTTP has a new link whenever it has been away. */
export interface HeldFor {
  holding: Holding
}

/** Whom a connection is for: one conversation, by its session if it has one or, where those end with each call, one caller with what it says of itself. */
export type Holder = Link | string

/** Where a conversation ends with its call, its caller is known by who it is and by what is told once: what it calls itself, and can do. */
export function holderOf({ link, owner, peer, forwarded }: Holding, isTold: boolean): Holder {
  const { carrier } = link
  const isSingle = carrier?.protocol === 'http' && carrier.session === undefined
  if (!isSingle) return conversationOf(link)
  return callerOf({ owner, peer, forwarded }, isTold)
}

/** By what an upstream could tell one caller from another. */
export function callerOf({ owner, peer, forwarded }: Omit<Holding, 'link'>, isTold = true): string {
  const told = isTold && [peer.info, declaredOf(peer)]
  const text = JSON.stringify([owner, told, forwarded])
  return `caller ${text.length > LONGEST ? hashContract({ text }) : text}` // It is remembered, however long it is.
}

const LONGEST = 1000

/** A session goes on with another link when it has not been used for a while. */
export function conversationOf(link: Link): Holder {
  const session = link.carrier?.session
  return session === undefined ? link : `session ${session}`
}
