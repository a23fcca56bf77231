export interface AuthorizationServer {
  readonly issuer: string
  readonly registrations: () => number
  /** Forgets everything that was granted. */
  readonly revokeAll: () => Promise<void>
  readonly close: () => void
}

export function startAuthorizationServer(options: {
  readonly resource: string
  readonly seconds?: number
  readonly documents?: { readonly [clientId: string]: object }
}): Promise<AuthorizationServer>

/** What a person does in a browser: opens an address, agrees, and comes back. */
export function browse(
  url: string,
): Promise<{ readonly at: string; readonly status: number; readonly text: string }>
