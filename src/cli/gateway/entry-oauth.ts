import { isObject, type JsonObject, texts } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
import { type EntryKeys, spelled, toCamel } from './spelled.ts'

/** What is read of it. */
export const SIGN_IN_KEYS = [
  ...['clientId', 'clientSecret', 'tokenEndpointAuthMethod', 'privateKey'],
  ...['scope', 'issuer', 'callbackPort', 'grant'],
]

/** What hosts write for themselves: where one signs in is found out by asking the server. */
const HOSTS = [
  ...['enabled', 'authorizationUrl', 'tokenUrl', 'registrationUrl', 'authServerMetadataUrl', 'redirectUri'],
  ...['audiences', 'tokenParamName', 'clientName'],
]

const KEYS: EntryKeys = { known: new Set([...SIGN_IN_KEYS, 'scopes', ...HOSTS]), expected: SIGN_IN_KEYS }

/** How one signs in, as an entry has it; hosts that have a switch there or a list of scopes are understood. */
export function readSignIn(written: unknown, where: string): { readonly oauth?: JsonObject } {
  if (written === undefined || typeof written === 'boolean') return {}
  if (!isObject(written))
    throw new UsageError(`${where}: expected an object such as { "clientId": "…" }, got another value`)
  const { scopes, ...entry } = spelled(written, where, KEYS)
  const ours = Object.entries(entry).filter(([name]) => SIGN_IN_KEYS.includes(name))
  if (scopes === undefined) return { oauth: Object.fromEntries(ours) }
  if (entry['scope'] !== undefined)
    throw new UsageError(`${where}: scope and scopes are one. Keep one of them`)
  return { oauth: { ...Object.fromEntries(ours), scope: joined(scopes, where) } }
}

function joined(scopes: unknown, where: string): string {
  if (typeof scopes === 'string') return scopes
  texts(scopes, `${where}: scopes`)
  return (scopes as readonly string[]).join(' ') // As just looked at.
}

/** What is not read of it although it changes what a host does. */
export function unreadOfSignIn(written: unknown): readonly string[] {
  if (typeof written === 'boolean') return ['oauth']
  if (!isObject(written)) return []
  return Object.keys(written)
    .filter((name) => HOSTS.includes(toCamel(name)))
    .map((name) => `oauth.${name}`)
}
