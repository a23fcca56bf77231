import { Fault, type Id, type Incoming, type Message, type Refused, type Revision } from '../kernel/index.ts'
import type { PendingRequests } from './pending.ts'

type BatchEntry = Message | Refused

/** Several messages, or more than are read, with answers among them. */
type Several = Exclude<Incoming, Message>

/** By what a batch is taken: what is spoken, who waits, and with whose answer it came. */
export interface Batching {
  readonly revision: Revision
  readonly waiting: PendingRequests
  readonly during: Id | undefined
}

export function isSeveral(incoming: Incoming): incoming is Several {
  return incoming.kind === 'batch' || (incoming.kind === 'refused' && incoming.holdsResponses === true)
}

/** The messages of a batch; of one that cannot be taken, what is told to those who wait for an answer in it. */
export function entriesOf(several: Several, { revision, waiting, during }: Batching): readonly BatchEntry[] {
  if (several.kind === 'refused') {
    // Nobody knows whose answers they were, so nobody may go on waiting for them.
    const ids = during === undefined ? waiting.all.map(({ id }) => id) : [during]
    return ids.map((id) => asAnswer(several.fault, id))
  }
  if (revision.batches) return withoutNonsense(several.entries, waiting)
  const fault = new Fault('invalidRequest', `Invalid request: there are no batches in ${revision.id}`)
  const awaited = several.entries.map(answeredBy).filter((id) => waiting.get(id) !== undefined)
  return awaited.length === 0 ? [asAnswer(fault, undefined)] : awaited.map((id) => asAnswer(fault, id))
}

/** What is no message is told of once, unless somebody waits for it. */
function withoutNonsense(entries: readonly BatchEntry[], waiting: PendingRequests): readonly BatchEntry[] {
  let odd = 0
  return entries.filter(
    (entry) => entry.kind !== 'refused' || waiting.get(answeredBy(entry)) !== undefined || ++odd === 1,
  )
}

function answeredBy(entry: BatchEntry): unknown {
  if (entry.kind === 'response') return entry.id
  return entry.kind === 'refused' ? entry.response?.id : undefined
}

function asAnswer(fault: Fault, id: unknown): Refused {
  return { kind: 'refused', id: undefined, fault, isResponse: true, response: { id } }
}
