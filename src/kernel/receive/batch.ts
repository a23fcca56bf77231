import { Fault } from '../faults.ts'
import {
  type Batch,
  isObject,
  type Message,
  type Outgoing,
  type Refused,
  type Reply,
} from '../jsonrpc/message.ts'
import { refuse } from '../jsonrpc/parse.ts'
import { META } from '../meta.ts'
import type { Revision } from '../revisions/revision.ts'
import { Round, type RoundOptions } from './round.ts'

/** One revision has batches, and answers them by one array; before a handshake it may still be that one. */
export function receiveBatch(
  { entries }: Batch,
  revision: Revision | undefined,
  options: RoundOptions,
): Outgoing | undefined | Promise<Outgoing | undefined> {
  const wrong = entries.every(isResponse) ? undefined : whyNot(entries, revision)
  if (wrong !== undefined) return options.receiveOne(refused(wrong))
  options.link.server.usage.saw('maxBatchMessages', entries.length)
  const replies = new Round(options).receive(entries.map(withoutOpening))
  return replies instanceof Promise ? replies.then(gather) : gather(replies)
}

function isResponse(entry: Message | Refused): boolean {
  return entry.kind === 'response' || (entry.kind === 'refused' && entry.isResponse)
}

function whyNot(entries: Batch['entries'], revision: Revision | undefined): string | undefined {
  if (revision?.batches === false) return `there are no batches in ${revision.id}`
  return entries.some(introducesItself)
    ? 'a request of another revision cannot be part of a batch'
    : undefined
}

/** Revisions in which each request says who sends it have no batches. */
function introducesItself(entry: Message | Refused): boolean {
  const meta = entry.kind === 'request' ? entry.params?.['_meta'] : undefined
  return isObject(meta) && META.protocolVersion in meta
}

/** The handshake must stand alone. */
function withoutOpening(entry: Message | Refused): Message | Refused {
  const opening = entry.kind === 'request' && entry.method === 'initialize'
  return opening ? { ...refused('initialize cannot be part of a batch'), id: entry.id } : entry
}

function refused(reason: string): Refused {
  return refuse(new Fault('invalidRequest', `Invalid request: ${reason}`))
}

function gather(replies: readonly (Reply | undefined)[]): Outgoing | undefined {
  const given = replies.filter((reply) => reply !== undefined)
  return given.length > 0 ? given : undefined
}
