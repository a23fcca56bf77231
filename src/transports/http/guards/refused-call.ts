import {
  type Fault,
  type FaultName,
  findString,
  type Incoming,
  isGranted,
  neededScopes,
  type Principal,
  type Request,
} from '../../../kernel/index.ts'
import { refusalOf } from '../answers.ts'
import type { Refusal } from '../exchange.ts'
import type { HttpState } from '../state.ts'

/** The statuses of requests that were turned away before anybody worked on them. */
export const REFUSED_STATUS: { readonly [fault in FaultName]?: number } = {
  invalidParams: 400,
  headerMismatch: 400,
  unsupportedVersion: 400,
  methodNotFound: 404,
}

/** What HTTP says of a stateless request that was turned away, unless the error in its answer says it all. */
export function refusedRequest(fault: Fault): Refusal | undefined {
  const status = REFUSED_STATUS[fault.fault]
  return status === undefined ? undefined : refusalOf(status, fault)
}

/** The statuses of callers who may not do it, or not now. */
const DENIED_STATUS: { readonly [fault in FaultName]?: number } = { insufficientScope: 403, rateLimited: 429 }

/** A caller that lacks a scope is told all it needs to ask for, in the way of OAuth; undefined where nothing is denied. */
export function denial(
  { server, authenticator }: HttpState,
  request: Request,
  { fault, principal }: { readonly fault: Fault; readonly principal: Principal | undefined },
): Refusal | undefined {
  const status = DENIED_STATUS[fault.fault]
  if (status === undefined) return undefined
  const isLack = fault.fault === 'insufficientScope'
  const challenge = isLack ? authenticator?.challenge(neededScopes(request, principal, server)) : undefined
  const what = `${request.method} ${findString(request.params, 'name') ?? ''}`.trim()
  return { ...refusalOf(status, fault, challenge), told: `${fault.logged} (${principal?.id}, ${what})` }
}

/** Whether a call will be refused for want of a scope: said before it, anything would take its status and its challenge. */
export function isBarred(
  { server }: HttpState,
  incoming: Incoming | undefined,
  principal: Principal | undefined,
): boolean {
  if (incoming?.kind !== 'request' || principal?.scopes === undefined) return false
  return !isGranted(neededScopes(incoming, principal, server), principal)
}
