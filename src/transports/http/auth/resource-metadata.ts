import { checkNameUrl } from './check-url.ts'

/** How we are known to authorization servers and their clients (RFC 9728). */
export interface ProtectedResource {
  /** Where clients find out who issues tokens for us. */
  readonly metadataUrl: string
  /** Ways to write our URL that mean the same. */
  readonly spellings: readonly string[]
  readonly documents: { readonly [path: string]: string }
}

interface ResourceOptions {
  readonly issuer: string
  readonly resource: string
  readonly scopesSupported?: readonly string[]
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

export function describeResource(options: ResourceOptions): ProtectedResource {
  const { issuer, scopesSupported } = options
  const { origin, path } = checkResource(options.resource)
  const resource = `${origin}${path}`
  const document = JSON.stringify({
    resource,
    authorization_servers: [issuer],
    ...(scopesSupported !== undefined && { scopes_supported: scopesSupported }),
    bearer_methods_supported: ['header'],
  })
  return {
    metadataUrl: `${origin}${WELL_KNOWN}${path}`,
    spellings: [...new Set([resource, `${resource}/`, options.resource])],
    documents: { [WELL_KNOWN]: document, [`${WELL_KNOWN}${path}`]: document },
  }
}

/** Its canonical form has lower-case letters before the path and no slash at the end. */
function checkResource(resource: string): { readonly origin: string; readonly path: string } {
  const { origin, pathname } = checkNameUrl(resource, 'resource')
  return { origin, path: pathname.replace(/\/$/, '') }
}
