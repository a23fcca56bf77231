import type { Principal } from './principal.ts'

/** Whom something is for: its owner or, without one, everybody; and of those whoever has its scopes. */
export interface Audience {
  readonly owner: string | undefined
  readonly scopes: readonly string[]
  /** Whether it is hidden from those who are shown a search in place of everything. */
  readonly hidden?: boolean | undefined
}

/**
 * Whether something is offered to a caller.
 * @example isFor({ owner: undefined, scopes: ['files:read'] }, call.principal)
 */
export function isFor({ owner, scopes }: Audience, principal: Principal | undefined): boolean {
  return (owner === undefined || owner === ownerOf(principal)) && isGranted(scopes, principal)
}

/**
 * To whom belongs what a caller makes; callers who cannot be told apart are one owner.
 * @example const owner = ownerOf(call.principal)
 */
export function ownerOf(principal: Principal | undefined): string {
  return principal === undefined || principal.anonymous === true ? '' : principal.id
}

/**
 * Whether a caller may use what needs these scopes; one that has no scopes at all may use everything.
 * @example isGranted(['files:read'], { id: 'ann', scopes: ['files'] })
 */
export function isGranted(scopes: readonly string[], principal: Principal | undefined): boolean {
  const granted = principal?.scopes
  return granted === undefined || scopes.every((scope) => granted.some((one) => covers(one, scope)))
}

/** A broad scope covers the narrow ones below it: `files` covers `files:read`. */
export function covers(granted: string, needed: string): boolean {
  return granted === needed || needed.startsWith(`${granted}:`)
}

/** What it takes to use what asks for no scope, on a server where that is closed. */
export const UNSCOPED: readonly string[] = ['unscoped']
