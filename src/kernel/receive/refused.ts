import type { Link } from '../calls/link.ts'
import { tell } from '../calls/tell.ts'
import type { Fault } from '../faults.ts'
import type { Id, Refused, Reply, Request, WireError } from '../jsonrpc/message.ts'
import { isIdIn } from '../jsonrpc/parse.ts'
import { spokenOn } from './spoken-on.ts'

export function refuse(link: Link, request: Request, fault: Fault): Reply {
  const refusal = refusalOf(link, request.id, fault)
  link.server.observe({ kind: 'refused', link, request, fault, error: refusal.error })
  return refusal
}

export function refusalOf(link: Link, id: Id, fault: Fault): Reply & { readonly error: WireError } {
  return { jsonrpc: '2.0', id, error: tell(fault, spokenOn(link), link.server) }
}

export function refuseUnreadable(link: Link, refused: Refused): Reply | undefined {
  const { server } = link
  const { id, fault, isResponse, request, method } = refused
  // What can be read of a request is told like any other that is refused.
  if (request !== undefined) return refuse(link, request, fault)
  server.observe({ kind: 'unreadable', link, fault, method, id })
  if (isResponse) return undefined
  const error = tell(fault, spokenOn(link), server)
  if (id !== undefined && isIdIn(server.dialect, id)) return { jsonrpc: '2.0', id, error }
  const unreadable = link.spoken === undefined ? null : link.spoken.unreadableId
  return unreadable === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id: unreadable, error }
}
