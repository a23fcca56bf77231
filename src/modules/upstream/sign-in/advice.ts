import type { ClientError } from '../../../client/index.ts'
import type { UpstreamOptions } from '../options.ts'
import { parseChallenge } from './parse-challenge.ts'

/** What one types to sign in to an upstream; undefined where that is not how it is told who calls. */
export function signInTo(name: string, { tokens, headers, login }: UpstreamOptions): string | undefined {
  return tokens === undefined || hasAuthorization(headers)
    ? undefined
    : (login ?? `perigee gateway login ${name}`)
}

export function hasAuthorization(headers: UpstreamOptions['headers']): boolean {
  return (
    typeof headers === 'object' && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  )
}

/** What else there is to be said to somebody whose call was refused. */
export function adviceFor({ details }: ClientError, signIn: string | undefined): string {
  const { error, scope } = parseChallenge(details.challenge ?? '')
  if (signIn === undefined || details.status !== 403 || error !== 'insufficient_scope') return ''
  const scopes = /^[\x21\x23-\x5b\x5d-\x7e ]+$/.test(scope ?? '') ? ` --scope "${scope}"` : ''
  return `. Sign in with more: ${signIn}${scopes}`
}
