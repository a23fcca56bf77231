import { cut } from '../../../kernel/index.ts'
import type { UpstreamOptions } from '../options.ts'
import { parseChallenge } from './parse-challenge.ts'
import { isAlone } from './settings.ts'

/** Who is told what would help: whoever calls, who may be far away, or whoever runs the gateway. */
export type AdvisedOne = 'caller' | 'operator'

/** What one types to sign in to an upstream; undefined where that is not how it is told who calls. */
export function signInTo(name: string, options: UpstreamOptions, one: AdvisedOne): string | undefined {
  const { tokens, login = `perigee gateway login ${name}`, loginFrom = '', oauth } = options
  if (tokens === undefined || hasAuthorization(options) || isAlone(oauth)) return undefined
  return one === 'operator' ? `${login}${loginFrom}` : login
}

/** Whether it is told who calls by what stands in its configuration: by a header, or by the user in its address. */
export function hasAuthorization({ headers, url = '' }: Pick<UpstreamOptions, 'headers' | 'url'>): boolean {
  const isNamed =
    typeof headers === 'object' && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  return isNamed || hasUser(url)
}

export function hasUser(url: string | URL): boolean {
  return URL.canParse(String(url)) && new URL(url).username !== ''
}

/** An answer by which a server refuses somebody. */
export interface UpstreamRefusal {
  readonly status?: number | undefined
  readonly challenge?: string | undefined
}

/** Who was refused: what one types to sign in, where a person does, and what has been granted. */
export interface RefusedCaller {
  readonly signIn: string | undefined
  /** What the token is for that was not enough; undefined where there is none, or where that is not known. */
  readonly scope: string | undefined
  /** Why there is no other token, where one was asked for. */
  readonly trouble: string | undefined
}

/** What else there is to be said to somebody whose call was refused. */
export function adviceFor(
  { status, challenge }: UpstreamRefusal,
  { signIn, scope, trouble }: RefusedCaller,
): string {
  if (status === 401 && trouble !== undefined)
    return `. ${signIn === undefined ? 'It could not be signed in to' : 'The token could not be renewed'}: ${trouble}`
  const told = parseChallenge(challenge ?? '')
  if (status !== 403 || told['error'] !== 'insufficient_scope') return ''
  const granted = wordsIn(scope)
  const wanted = wordsIn(told['scope'])
  const missing = missingOf(told['scope'], scope)
  if (missing.length === 0 && granted.length > 0)
    return `. You have been granted ${cut((wanted.length > 0 ? wanted : granted).join(' '), LONGEST)} already: whoever runs the server has to say what else it wants`
  const all = [...granted, ...missing].join(' ') // What is there already would be lost otherwise.
  const named = all === '' || all.length > LONGEST ? '' : all
  if (signIn !== undefined) return `. Sign in with more: ${signIn}${named && ` --scope "${named}"`}`
  return scope === undefined || named === '' ? '' : `. Ask for more: "oauth": { "scope": "${named}" }`
}

/** How much is repeated of what a server wants. */
const LONGEST = 500

/** Scopes that can stand between quotation marks in what somebody types, and do nothing else there. */
const TYPEABLE = /^[\x23\x25-\x5b\x5d-\x5f\x61-\x7e]+$/

/** What was asked for and is not among what was granted. */
export function missingOf(asked: string | undefined, granted: string | undefined): readonly string[] {
  const given = wordsIn(granted)
  return wordsIn(asked).filter((one) => !given.includes(one))
}

function wordsIn(scope = ''): readonly string[] {
  return [...new Set(scope.split(' '))].filter((one) => TYPEABLE.test(one))
}
