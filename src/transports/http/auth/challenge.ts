import type { HttpHeaders } from '../exchange.ts'

/** What a challenge says, in the order in which it is said; what is undefined is left out. */
export type ChallengeParameters = { readonly [name: string]: string | undefined }

/** Tells a caller how to make itself known (RFC 9110, 11.6.1). */
export function challengeHeaders(scheme: string, parameters: ChallengeParameters): HttpHeaders {
  const printed = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quote(value)}`],
  )
  return { 'www-authenticate': printed.length === 0 ? scheme : `${scheme} ${printed.join(', ')}` }
}

/** A line break or a letter that headers do not know would break the answer, so it is replaced. */
function quote(value: string): string {
  return `"${value.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`
}
