import { insufficientScope, missingScopes, type Principal, type Request } from '../../kernel/index.ts'
import type { Refusal } from './exchange.ts'
import { refusalOf } from './refuse.ts'
import type { Site } from './site.ts'

/** A caller that lacks a scope is told which, in the way of OAuth, before anything runs. */
export function checkScopes(
  { server, settings }: Site,
  request: Request,
  principal: Principal,
): Refusal | undefined {
  const missing = missingScopes(request, principal, server)
  if (missing.length === 0) return undefined
  return refusalOf(403, insufficientScope(missing), settings.authenticator?.challenge(missing))
}
