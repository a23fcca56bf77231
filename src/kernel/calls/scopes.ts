import { covers, isGranted, ownerOf, UNSCOPED } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import { findSource } from '../catalogue/find-source.ts'
import { findString } from '../check/params.ts'
import { type Fault, plainFault } from '../faults.ts'
import type { Request } from '../jsonrpc/message.ts'
import { findRelayed } from './find-relayed.ts'
import { findTool } from './find-tool.ts'
import type { Server } from './server.ts'

type MethodAndParams = Pick<Request, 'method' | 'params' | 'front'>

/** The scopes that a request needs and its caller lacks. */
export function missingScopes(
  request: MethodAndParams,
  principal: Principal | undefined,
  server: Server,
): readonly string[] {
  if (principal?.scopes === undefined) return NONE
  return neededScopes(request, principal, server).filter((scope) => !isGranted([scope], principal))
}

/**
 * What a caller is told that lacks scopes.
 * @example throw insufficientScope(['files:write'])
 */
export function insufficientScope(missing: readonly string[]): Fault {
  return plainFault('insufficientScope', `Insufficient scope: this needs ${missing.join(' ')}`, {
    scopes: missing,
  })
}

const NONE: readonly string[] = []

/** What it takes to stop the server, where its dialect lets clients do that. */
const EXIT: readonly string[] = ['exit']

/**
 * All that a request needs, whether or not its caller has it.
 * @example const scopes = neededScopes(call.request, call.principal, server)
 */
export function neededScopes(
  { method, params, front }: MethodAndParams,
  principal: Principal | undefined,
  server: Server,
): readonly string[] {
  const name = findString(params, 'name') ?? ''
  const owner = ownerOf(principal)
  if (method === 'tools/call') return findTool(name, { server, owner, front })?.scopes ?? NONE
  if (method === 'prompts/get') return server.prompts.find(name, owner)?.scopes ?? NONE
  if (method === 'resources/read' || method === 'resources/subscribe') {
    return findSource(findString(params, 'uri') ?? '', server, principal)?.scopes ?? NONE
  }
  if (method === 'exit') return EXIT
  const own = server.extensions.find(({ methods }) => Object.hasOwn(methods, method))
  if (own !== undefined || server.relaying.extensions.size === 0) return own?.scopes ?? NONE
  return findRelayed(method, server.relaying, principal)?.scopes ?? NONE
}

/**
 * Every scope that something on this server asks for.
 * @example console.error(knownScopes(server).join(' '))
 */
export function knownScopes(server: Server): readonly string[] {
  const { tools, resources, templates, prompts, extensions, relaying, dialect, settings } = server
  // What a server behind this one asks for is known before what it has.
  const offers = [...tools, ...resources, ...templates, ...prompts, ...extensions, ...relaying.extensions]
  const needed = new Set([...offers.flatMap(({ scopes = NONE }) => scopes), ...settings.laterScopes])
  if (dialect.exit !== 'refused') needed.add(EXIT.join())
  // Also where all that is there now asks for a scope: what is added later need not.
  if (settings.unscoped === 'closed') needed.add(UNSCOPED.join())
  return [...needed].sort()
}

/**
 * Those of the scopes that open nothing here: to grant them is a slip of the pen.
 * @example const slips = unknownScopes(['fiels:read'], server)
 */
export function unknownScopes(granted: readonly string[], server: Server): readonly string[] {
  const known = knownScopes(server)
  return granted.filter((scope) => !known.some((needed) => covers(scope, needed)))
}
