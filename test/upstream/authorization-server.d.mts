export interface AuthorizationServer {
  readonly issuer: string
  readonly registrations: () => number
  /** How often it has given tokens. */
  readonly granted: () => number
  /** Forgets everything that was granted. */
  readonly revokeAll: () => Promise<void>
  readonly close: () => void
}

export function startAuthorizationServer(options: {
  readonly resource: string
  readonly seconds?: number
  readonly documents?: { readonly [clientId: string]: object }
  /** Those who are registered from the start. */
  readonly clients?: readonly object[]
}): Promise<AuthorizationServer>
