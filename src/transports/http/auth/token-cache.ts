import type { Principal } from '../../../kernel/index.ts'
import { sha256 } from './digest.ts'

const KEEP_MS = 60_000
const MAX_TOKENS = 10_000

/** Remembers for a minute whose tokens have been verified, by digests of them. */
export class TokenCache {
  readonly #entries = new Map<string, { readonly principal: Principal; readonly until: number }>()

  find(token: string): Principal | undefined {
    const digest = digestOf(token)
    const entry = this.#entries.get(digest)
    if (entry === undefined || entry.until > Date.now()) return entry?.principal
    this.#entries.delete(digest)
    return undefined
  }

  /** What has been there longest goes first when there is no room. */
  keep(token: string, principal: Principal, expiresAt: number): void {
    const oldest = this.#entries.size < MAX_TOKENS ? undefined : this.#entries.keys().next().value
    if (oldest !== undefined) this.#entries.delete(oldest)
    this.#entries.set(digestOf(token), { principal, until: Math.min(expiresAt, Date.now() + KEEP_MS) })
  }
}

function digestOf(token: string): string {
  return sha256(token).toString('base64')
}
