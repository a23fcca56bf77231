import { isAlone, type SignInSettings } from './settings.ts'
import type { SignedIn } from './token-book.ts'

/** What a program that signs in without a person has asked for, kept to see whether a token is still for that. */
export function askedBy({ scope, issuer }: SignInSettings): Pick<SignedIn, 'asked'> {
  return { asked: { ...(scope !== undefined && { scope }), ...(issuer !== undefined && { issuer }) } }
}

/** Whether somebody is signed in as the settings have it; a person may have said something else at the terminal. */
export function isAsked({ client, asked }: SignedIn, settings: SignInSettings | undefined): boolean {
  if (settings === undefined || !isAlone(settings)) return true
  const { clientId, scope, issuer } = settings
  return client.id === clientId && asked?.scope === scope && asked?.issuer === issuer
}

/** How a person is signed in otherwise than the settings have it; a client that was registered stands for any. */
export function otherwise(
  { access, client, issuer }: SignedIn,
  { clientId = client.id, issuer: wanted = issuer }: SignInSettings,
): string | undefined {
  if (access === undefined) return undefined
  const isOther = !client.registered && client.id !== clientId
  const isElsewhere = wanted.replace(/\/$/, '') !== issuer.replace(/\/$/, '')
  if (!isOther && !isElsewhere) return undefined
  return `signed in ${isOther ? `as ${client.id} ` : ''}at ${issuer}, where its oauth names ${isOther ? clientId : wanted}`
}
