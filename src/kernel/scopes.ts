import { Fault } from './faults.ts'
import type { Request } from './jsonrpc/message.ts'
import type { Principal } from './link.ts'
import { findSource } from './methods/resources.ts'
import type { Server } from './server.ts'

/** The scopes that a request needs and its caller lacks. */
export function missingScopes(
  request: Request,
  principal: Principal | undefined,
  server: Server,
): readonly string[] {
  if (principal?.scopes === undefined) return NONE
  return neededScopes(request, server).filter((scope) => !isGranted([scope], principal))
}

/** Whether a caller may use what needs these scopes; one that has no scopes at all may use everything. */
export function isGranted(scopes: readonly string[], principal: Principal | undefined): boolean {
  const granted = principal?.scopes
  return granted === undefined || scopes.every((scope) => granted.some((one) => covers(one, scope)))
}

export function insufficientScope(missing: readonly string[]): Fault {
  return new Fault('insufficientScope', `Insufficient scope: this needs ${missing.join(' ')}`, {
    scopes: missing,
  })
}

/** A broad scope covers the narrow ones below it: `files` covers `files:read`. */
function covers(granted: string, needed: string): boolean {
  return granted === needed || needed.startsWith(`${granted}:`)
}

const NONE: readonly string[] = []

/** All that a request needs, whether or not its caller has it. */
export function neededScopes({ method, params }: Request, server: Server): readonly string[] {
  const name = String(params?.['name'])
  if (method === 'tools/call') return server.tools.find(name)?.scopes ?? NONE
  if (method === 'prompts/get') return server.prompts.find(name)?.scopes ?? NONE
  if (method === 'resources/read' || method === 'resources/subscribe') {
    return findSource(String(params?.['uri']), server)?.scopes ?? NONE
  }
  return server.extensions.find(({ methods }) => Object.hasOwn(methods, method))?.scopes ?? NONE
}
