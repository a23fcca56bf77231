import { isGranted } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import type { Source } from '../catalogue/find-source.ts'
import type { Call } from '../definitions/authors.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { InterestWatcher } from './interest.ts'
import type { ListName } from './listener.ts'
import type { RelayedAbsence, RelayedServer } from './relayed-server.ts'

/**
 * How many servers a list still waits for, in its `_meta`.
 *
 * @example
 * const result = { tools: [], _meta: { [AWAITED]: 2 } }
 * const isWhole = (result._meta[AWAITED] ?? 0) === 0
 */
export const AWAITED = 'perigee/awaited'

/**
 * Why a list is without what some servers would have on it, by their names, in its `_meta`; and why a tool that is
 * called is not there, in that of the answer.
 *
 * @example
 * const result = { tools: [], _meta: { [MISSING]: { github: 'github cannot be reached (timed out), next try in 4 s' } } }
 * const reasons = Object.values(result._meta[MISSING] ?? {})
 */
export const MISSING = 'perigee/missing'

/** What a server has to know of others that it stands for. */
export interface Relaying {
  /** Lists that are there although nothing stands on them yet. */
  readonly declared: Set<ListName>
  /** Who is told which resources clients want to hear of. */
  readonly interest: Set<InterestWatcher>
  /** Who is told that the folders of a client are others. */
  readonly roots: Set<(link: object) => void>
  /** Who has things to be read that stand on no list; asked in this order. */
  readonly elsewhere: Set<(uri: string) => Source | undefined>
  /** What others have beyond the protocol. */
  readonly extensions: Set<RelayedExtensions>
  /** Tools that are not offered for a reason, which whoever calls one all the same is told. */
  readonly withheld: Map<string, Withheld>
  /** The servers it stands for. */
  readonly upstreams: Set<RelayedServer>
  /** Those of them that nobody knows yet what they have. */
  readonly awaited: Set<RelayedServer>
}

/** What another server has beyond the protocol, of which only that server knows what it does. */
export interface RelayedExtensions {
  /** Whose they are. */
  readonly upstream: string
  readonly scopes: readonly string[]
  /** The settings of its extensions, by id. */
  readonly declared: JsonObject
  /** What answers a method of theirs; undefined where it is none of them. */
  find(method: string): ((call: Call) => unknown) | undefined
}

export interface Withheld {
  readonly scopes: readonly string[]
  readonly reason: string
  /** Whose it is. */
  readonly upstream: string
}

export function createRelaying(): Relaying {
  return {
    declared: new Set(),
    interest: new Set(),
    roots: new Set(),
    elsewhere: new Set(),
    extensions: new Set(),
    withheld: new Map(),
    upstreams: new Set(),
    awaited: new Set(),
  }
}

type Absent = RelayedAbsence & Pick<RelayedServer, 'name'>

/** Those of which a caller sees nothing, as far as it would see something of them, and not for the moment alone. */
export function absentFor(relaying: Relaying, principal: Principal | undefined): readonly Absent[] {
  return unseenBy(principal, relaying).filter(({ isAwaited }) => !isAwaited)
}

/** Whose a tool may be that is not there, by how its name begins; who is known not to be there is named first. */
export function ownerOfAbsent(
  name: string,
  relaying: Relaying,
  principal: Principal | undefined,
): Absent | undefined {
  const all = unseenBy(principal, relaying).filter(({ prefix }) => name.startsWith(prefix))
  return all.find(({ isAwaited }) => !isAwaited) ?? all[0]
}

function unseenBy(principal: Principal | undefined, { upstreams }: Relaying): readonly Absent[] {
  return Array.from(upstreams).flatMap(({ name, absence }) =>
    absence === undefined || !isGranted(absence.scopes, principal) ? [] : [{ name, ...absence }],
  )
}
