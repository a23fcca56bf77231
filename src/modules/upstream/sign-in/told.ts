/** What would help, by what an authorization server says is wrong. */
const HELP: { readonly [code: string]: string } = {
  invalid_client:
    'clientId and clientSecret or privateKey must be as they are registered there; tokenEndpointAuthMethod says how a secret is told',
  invalid_scope: 'Ask for another scope',
  unauthorized_client: 'The client must be registered there for this way of signing in',
}

/** What an authorization server says, if it says anything; tokens and codes are in none of it. */
export function explainSignIn(error: unknown): string {
  const { error: code, error_description: words } = saidBy(error) ?? {}
  if (code === undefined) return (error as Error).message
  const help = Object.hasOwn(HELP, code) ? `. ${HELP[code]}` : ''
  return `whoever signs people in there says ${code}${typeof words === 'string' ? `: ${words}` : ''}${help}`
}

interface SaidByServer {
  readonly error: string
  readonly error_description?: unknown
}

/** What an authorization server says is wrong, if that is what was thrown. */
export function saidBy(error: unknown): SaidByServer | undefined {
  return [error, (error as Error).cause].find(isSaid)
}

function isSaid(error: unknown): error is SaidByServer {
  return error instanceof Error && 'error' in error && typeof error.error === 'string'
}
