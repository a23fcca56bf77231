import { type Check, flag, type JsonObject, texts } from '../../kernel/index.ts'
import { readSignIn, unreadOfSignIn } from './entry-oauth.ts'
import { type EntryKeys, spelled, toCamel } from './spelled.ts'

/** What is read of an entry, and what for. */
export const OURS = [
  ...['url', 'headers', 'forwardHeaders', 'oauth'],
  ...['command', 'args', 'env', 'envFile', 'cwd'],
  ...['revision', 'prefix', 'shared', 'scopes'],
  ...['tools', 'rename', 'descriptions', 'annotations'],
]

/** Hosts have several words for an address. */
const ADDRESSES = ['url', 'httpUrl', 'serverUrl']

/** What some hosts call the tools that are wanted, and those that are not. */
const WANTED = ['includeTools', 'enabledTools']
const UNWANTED = ['excludeTools', 'disabledTools']

/** What hosts act on and a gateway does not, so that somebody may wonder why a server behaves otherwise. */
const UNREAD = [
  ...['envVars', 'headersHelper', 'envHttpHeaders', 'bearerTokenEnvVar', 'auth', 'authProviderType'],
  ...['sandbox', 'sandboxEnabled', 'timeout', 'initTimeout', 'startupTimeout', 'networkTimeout'],
  ...['requestTimeout', 'toolTimeout'],
]

/** What hosts write for themselves. */
const HOSTS = [
  ...['type', 'transport', 'transportType', 'name', 'title', 'description', 'icon', 'version', 'gallery'],
  ...['disabled', 'enabled', 'active', 'required', 'autoStart', 'autoApprove', 'alwaysAllow', 'trust'],
  ...['dev', 'tags', 'source', 'note', 'comment', 'stderr', ...UNREAD],
]

const KNOWN: ReadonlySet<string> = new Set([...OURS, ...ADDRESSES, ...WANTED, ...UNWANTED, ...HOSTS])

/** What decides what is served: taken for something else, it would let pass what it is there to keep out. */
const CHECKED: { readonly [name: string]: Check } = {
  ...Object.fromEntries(['tools', ...WANTED, ...UNWANTED].map((name) => [name, texts])),
  disabled: flag,
  enabled: flag,
}

const KEYS: EntryKeys = { known: KNOWN, expected: [...OURS, 'disabled'], checked: CHECKED }

/** An entry of a file, in our words; a name that nobody reads is a mistake that nobody sees. */
export function readEntry(written: JsonObject, where: string): JsonObject {
  const entry = spelled(written, where, KEYS)
  const ours = Object.entries(entry).filter(([name]) => OURS.includes(name) && name !== 'oauth')
  const url = ADDRESSES.map((word) => entry[word]).find((one) => one !== undefined)
  const tools = toolsOf(entry)
  return {
    ...Object.fromEntries(ours),
    ...readSignIn(entry['oauth'], `${where}: oauth`),
    ...(url !== undefined && { url }),
    ...(tools !== undefined && { tools }),
  }
}

/** The keys that are not read although they change what a host does. */
export function unreadKeys(entry: JsonObject): readonly string[] {
  const keys = Object.keys(entry).filter((name) => UNREAD.includes(toCamel(name)))
  return [...keys, ...unreadOfSignIn(entry['oauth'])]
}

/** Whoever wants none has none, whatever else is said. */
function toolsOf(entry: JsonObject): readonly string[] | undefined {
  const wanted = listsIn(entry, ['tools', ...WANTED])
  if (wanted.some(({ length }) => length === 0)) return []
  const unwanted = listsIn(entry, UNWANTED).flat()
  const tools = [...wanted.flat(), ...unwanted.map((one) => `!${one}`)]
  return tools.length > 0 ? tools : undefined
}

function listsIn(entry: JsonObject, names: readonly string[]): readonly (readonly string[])[] {
  return names.flatMap((name) => (entry[name] === undefined ? [] : [entry[name] as readonly string[]])) // As checked.
}
