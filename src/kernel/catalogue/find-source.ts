import type { Call } from '../definitions/authors.ts'
import type { CacheHint } from '../definitions/implementation.ts'
import type { Catalogue } from './catalogue.ts'
import type { Origin } from './origin.ts'

/** Whatever is behind a URI: a resource of that name, or the first template that matches. */
export interface Source {
  readonly scopes: readonly string[]
  readonly mimeType: string | undefined
  readonly subscribable: boolean
  readonly cache: CacheHint | undefined
  readonly origin?: Origin | undefined
  read(call: Call): unknown
}

export function findSource(
  uri: string,
  server: Pick<Catalogue, 'resources' | 'templates'>,
  owner: string,
): Source | undefined {
  const resource = server.resources.find(uri, owner)
  if (resource !== undefined) return resource
  for (const one of server.templates.of(owner)) {
    const variables = one.template.match(uri)
    if (variables !== undefined) {
      const { mimeType, subscribable, cache, scopes, origin } = one
      return { mimeType, subscribable, cache, scopes, origin, read: (call) => one.read(variables, call) }
    }
  }
  return undefined
}
