import { isGranted } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import { isKnownMethod } from '../revisions/index.ts'
import type { RelayedExtensions, Relaying } from './relaying.ts'

/**
 * One that has a method which no revision ever had: whoever is for the caller, or else the first that is not.
 * @example const scopes = findRelayed('com.example/do', server.relaying, undefined)?.scopes
 */
export function findRelayed(
  method: string,
  { extensions }: Relaying,
  principal: Principal | undefined,
): RelayedExtensions | undefined {
  if (isKnownMethod(method) || OURS.includes(method)) return undefined
  const having = [...extensions].filter((one) => one.find(method) !== undefined)
  return having.find(({ scopes }) => isGranted(scopes, principal)) ?? having[0]
}

/** What a server does itself or not at all, although no revision has it. */
const OURS: readonly string[] = ['tasks/update', 'exit']
