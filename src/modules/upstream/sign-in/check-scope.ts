import type { SignInPlace } from './discover.ts'

/** How much of a scope is asked for: addresses that are much longer are not taken everywhere. */
const MAX_SCOPE = 4000

/** Whoever names more than that did not mean it to be asked for all at once. */
export function checkScope(wanted: string | undefined, { resource, server, scope }: SignInPlace): void {
  const asked = wanted ?? scope ?? ''
  if (asked.length <= MAX_SCOPE) return
  const [at, by] = [new URL(resource).host, new URL(server.issuer).host]
  const whose = wanted === undefined ? `${at} has` : 'you want'
  throw new Error(
    `${whose} ${asked.split(' ').length} scopes, with ${asked.length} characters, and ${by} is asked for at most ${MAX_SCOPE}. Name those that you need: --scope "…", or scope in its oauth`,
  )
}
