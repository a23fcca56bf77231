import { type AuthorizationServer, type ClientAuth, ClientSecretPost, None } from 'oauth4webapi'
import { asInForm } from '../secret-forms.ts'
import type { RegisteredClient } from './token-book.ts'

/** How a client says at a token endpoint that it is this one, in the order of preference. */
const METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const

export type AuthMethod = (typeof METHODS)[number]

/** What a client that registers itself asks for: it keeps no secret unless that is wanted of it. */
export function methodToAsk(server: AuthorizationServer): AuthMethod {
  const { token_endpoint_auth_methods_supported: known } = server
  const method = METHODS.find((one) => known === undefined || known.includes(one))
  if (method !== undefined) return method
  throw new Error(
    `${server.issuer} wants clients to say who they are by ${known?.join(', ')}. Expected one of ${METHODS.join(', ')}`,
  )
}

/** What a client does that has been told nothing of it, or something that it does not know. */
export function methodOf(
  server: AuthorizationServer,
  { secret, said }: { readonly secret: string | undefined; readonly said?: unknown },
): AuthMethod {
  if (secret === undefined) return 'none'
  const told = METHODS.find((one) => one === said)
  if (told !== undefined) return told
  const known = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return METHODS.slice(1).find((one) => known.includes(one)) ?? (known.includes('none') ? 'none' : METHODS[1])
}

const AUTHS: Record<AuthMethod, (secret: string) => ClientAuth> = {
  none: () => None(),
  client_secret_basic: basic,
  client_secret_post: (secret) => ClientSecretPost(secret),
}

export function authOf({ secret, method }: Pick<RegisteredClient, 'secret' | 'method'>): ClientAuth {
  return secret === undefined ? None() : AUTHS[method ?? 'client_secret_basic'](secret)
}

/** As forms are written (RFC 6749, 2.3.1): the library also escapes hyphens and dots, which not everybody undoes. */
function basic(secret: string): ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${asInForm(id)}:${asInForm(secret)}`)}`)
  }
}
