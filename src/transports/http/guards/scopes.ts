import {
  findString,
  insufficientScope,
  missingScopes,
  neededScopes,
  type Principal,
  type Request,
} from '../../../kernel/index.ts'
import { refusalOf } from '../answers.ts'
import type { Refusal } from '../exchange.ts'
import type { HttpState } from '../state.ts'

/** A caller that lacks a scope is told all it needs to ask for, in the way of OAuth, before anything runs. */
export function checkScopes(
  { server, authenticator }: HttpState,
  request: Request,
  principal: Principal | undefined,
): Refusal | undefined {
  const missing = missingScopes(request, principal, server)
  if (missing.length === 0) return undefined
  const challenge = authenticator?.challenge(neededScopes(request, principal, server))
  const fault = insufficientScope(missing)
  const name = findString(request.params, 'name') ?? ''
  const told = `${fault.logged} (${principal?.id}, ${`${request.method} ${name}`.trim()})`
  return { ...refusalOf(403, fault, challenge), told }
}
