import { knownScopes, type Server, unknownScopes } from '../kernel/index.ts'
import { UsageError } from './usage-error.ts'

/** A scope that opens nothing is a slip of the pen, and whoever made it believes that it limits somebody. */
export function checkScopes(where: string, scopes: readonly string[], server: Server): readonly string[] {
  const unknown = unknownScopes(scopes, server)
  if (unknown.length === 0) return scopes
  if (unknown.includes('unscoped'))
    throw new UsageError(
      `${where}: what asks for no scope is open to every key here, so "unscoped" would limit nothing; close it with --unscoped closed`,
    )
  const known = knownScopes(server)
  const these = unknown.map((scope) => JSON.stringify(scope)).join(', ')
  throw new UsageError(
    known.length === 0
      ? `${where}: nothing on ${server.info.name} asks for a scope, so ${these} would limit nothing${LATER}`
      : `${where}: nothing on ${server.info.name} asks for the scope ${these}. Known: ${known.join(', ')}${LATER}`,
  )
}

/** For whoever wrote the server. */
const LATER =
  '; in a server of your own, laterScopes of defineServer names what only tools made at run time ask for'
