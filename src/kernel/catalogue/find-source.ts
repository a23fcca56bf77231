import { isGranted, ownerOf } from '../callers/audience.ts'
import type { Principal } from '../callers/principal.ts'
import type { Call } from '../definitions/authors.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import type { Catalogue } from './catalogue.ts'
import type { Origin } from './origin.ts'
import type { Confirm } from './resource.ts'

/** Whatever is behind a URI: a resource of that name, or the first template that matches. */
export interface Source {
  readonly scopes: readonly string[]
  readonly mimeType: string | undefined
  readonly subscribable: boolean | undefined
  readonly cache: CacheHint | undefined
  readonly relayed: boolean
  readonly confirm?: Confirm | undefined
  readonly origin?: Origin | undefined
  read(call: Call): unknown
}

/** Where things to be read are looked for. */
export interface Sources extends Pick<Catalogue, 'resources' | 'templates'> {
  readonly relaying: { readonly elsewhere: ReadonlySet<(uri: string) => Source | undefined> }
}

export function findSource(
  uri: string,
  server: Sources,
  principal: Principal | undefined,
): Source | undefined {
  const owner = ownerOf(principal)
  const resource = server.resources.find(uri, owner)
  if (resource !== undefined) return resource
  for (const one of server.templates.of(owner)) {
    const variables = one.template.match(uri)
    if (variables !== undefined) {
      const { mimeType, subscribable, cache, scopes, origin, relayed, confirm } = one
      return {
        mimeType,
        subscribable,
        cache,
        scopes,
        origin,
        relayed,
        confirm,
        read: (call) =>
          orElsewhere(one.read(variables, call), () =>
            findElsewhere(uri, server, call.principal)?.read(call),
          ),
      }
    }
  }
  return findElsewhere(uri, server, principal)
}

/** Nobody knows whether it is there, so that whoever may not look is told no scope either. */
function findElsewhere(
  uri: string,
  { relaying }: Sources,
  principal: Principal | undefined,
): Source | undefined {
  for (const find of relaying.elsewhere) {
    const source = find(uri)
    if (source !== undefined && isGranted(source.scopes, principal)) return source
  }
  return undefined
}

/** Another server may have what a template of ours has not: both may keep things under one kind of URI. */
function orElsewhere(given: unknown, read: () => unknown): unknown {
  if (given instanceof Promise) return given.then((value: unknown) => (value === undefined ? read() : value))
  return given === undefined ? read() : given
}
