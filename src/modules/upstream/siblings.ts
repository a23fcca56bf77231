import type { InterestWatcher, RelayedExtensions, RelayedServer, Server, Source } from '../../kernel/index.ts'
import {
  type ConfiguredUpstream,
  type NameClaim,
  type NamedList,
  prefixOf,
  type WantedName,
} from './names.ts'
import type { UnlistedReader } from './unlisted.ts'

/** One of the upstreams of a server, as far as the others have to know. */
export interface Sibling extends RelayedServer, ConfiguredUpstream {
  readonly offers: SiblingOffers
}

/** What it offers, and what it is to have for names. */
export interface SiblingOffers {
  readonly unlisted: UnlistedReader
  /** What is to have a name here, as far as it is known. */
  wanted(list: NamedList): readonly WantedName[]
  /** What speaks for one of its tools having this name, if one is to have it. */
  claim(key: string): NameClaim | undefined
  /** Has what is known of it offered again, under the names and in the place that it has by now. */
  review(): void
  /** Told of names, each after its list, that another one has given up. */
  freed(names: ReadonlySet<string>): void
}

/** The upstreams of a server; a module may see the server through a face of its own, but these are the same. */
export function siblingsOf({ relaying }: Server): Set<Sibling> {
  return relaying.upstreams as Set<Sibling> // Nobody else adds any.
}

/** Whose a name would be, by what it begins with, also where nothing of that name is there; undefined where it does not tell. */
export function ownerOf(name: string, server: Server): string | undefined {
  const siblings = [...siblingsOf(server)]
  const named = siblings
    .map((one) => ({ name: one.name, prefix: prefixOf(one, siblings.length === 1) }))
    .filter(({ prefix }) => prefix !== '' && name.startsWith(prefix))
  const longest = Math.max(...named.map(({ prefix }) => prefix.length))
  const [first, second] = named.filter(({ prefix }) => prefix.length === longest)
  return second === undefined ? first?.name : undefined
}

/** All by which an upstream is one of a server's. */
interface UpstreamMembership {
  readonly upstream: Sibling
  readonly elsewhere: (uri: string) => Source | undefined
  readonly interest: InterestWatcher
  readonly extensions: RelayedExtensions
  readonly roots: (link: object) => void
}

/** Makes it one, until the function given back is called. */
export function joinServer(server: Server, joining: UpstreamMembership): () => void {
  const { relaying } = server
  siblingsOf(server).add(joining.upstream)
  relaying.elsewhere.add(joining.elsewhere)
  relaying.interest.add(joining.interest)
  relaying.extensions.add(joining.extensions)
  relaying.roots.add(joining.roots)
  return () => {
    siblingsOf(server).delete(joining.upstream)
    relaying.awaited.delete(joining.upstream)
    relaying.elsewhere.delete(joining.elsewhere)
    relaying.interest.delete(joining.interest)
    relaying.extensions.delete(joining.extensions)
    relaying.roots.delete(joining.roots)
  }
}
