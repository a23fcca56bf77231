import { checkBudget } from '../budgets/check.ts'
import type { Call } from '../calls/call.ts'
import { findPeer, STRANGER } from '../calls/peer.ts'
import { insufficientScope, missingScopes } from '../calls/scopes.ts'
import { turnAway } from '../calls/turned-away.ts'
import { checkString } from '../check/params.ts'
import { Fault, methodNotFound, plainFault } from '../faults.ts'
import type { Result } from '../jsonrpc/message.ts'
import { findMethod } from '../methods/index.ts'
import { lackOfRoom, takesRoom } from './underway.ts'

/** The rungs up to the middleware: who sends it, what the transport thinks of it, and whether there is room for it. */
export function admit(call: Call): Fault | undefined {
  const { request, link, outlet, server } = call
  const shaken = request.params?.['_meta'] === undefined ? link.peer : undefined
  const peer = shaken ?? findPeer(request, link, server.dialect)
  const refused = outlet.check?.(request, peer)
  if (refused !== undefined) return refused
  if (peer instanceof Fault) return peer
  call.peer = peer
  if (link.calls.size > 0 && link.calls.has(request.id)) return SAME_ID
  const full = takesRoom(request) ? checkRoom(call) : undefined
  if (full !== undefined) return full
  // A tool may have frozen it.
  if (peer !== STRANGER && link.spoken !== peer.revision) link.spoken = peer.revision
  return undefined
}

/** A transport may give up what nobody waits for, so that there is room. */
function checkRoom({ server, request, link }: Call): Fault | undefined {
  const find = () => lackOfRoom(server, request, link)
  if (find() === undefined) return undefined
  link.makeRoom(() => find() === undefined)
  return find()
}

const SAME_ID = plainFault('invalidRequest', 'Invalid request: a call with this id is still under way')

/** The rungs behind the middleware, of which the last is the method itself. */
export function dispatch(call: Call): Result | Promise<Result> {
  const { method, server, principal } = call
  const handle = findMethod(call)
  if (handle === undefined) throw turnAway(call, methodNotFound(method))
  if (server.dialect.ready === 'after-initialized' && tooEarly(call)) throw turnAway(call, TOO_EARLY)
  if (call.meta?.['progressToken'] !== undefined) checkProgressToken(call)
  if (principal?.scopes !== undefined) checkScopes(call)
  if (server.abandoned.size > 0) server.abandoned.check(call)
  return handle(call)
}

const TOO_EARLY = plainFault('notInitialized', 'Not ready: send notifications/initialized first')

function tooEarly({ link, peer, method }: Call): boolean {
  return link.peer === peer && link.state === 'initializing' && method !== 'ping' && method !== 'initialize'
}

/** It is repeated by every notice, and kept with them for clients that come back. */
function checkProgressToken({ meta, server }: Call): void {
  if (typeof meta?.['progressToken'] === 'number') return
  const text = checkString(meta, 'progressToken', '_meta.')
  checkBudget(server, 'maxProgressTokenBytes', text.length, '_meta.progressToken')
}

function checkScopes(call: Call): void {
  const missing = missingScopes(call.request, call.principal, call.server)
  if (missing.length > 0) throw turnAway(call, insufficientScope(missing))
}
