import { type Check, flag, type JsonObject, suggest, texts } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'

/** What is read of an entry, and what for. */
export const OURS = [
  ...['url', 'headers', 'forwardHeaders'],
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
  ...['envVars', 'headersHelper', 'envHttpHeaders', 'bearerTokenEnvVar', 'oauth', 'auth', 'authProviderType'],
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

/** An entry of a file, in our words; a name that nobody reads is a mistake that nobody sees. */
export function readEntry(written: JsonObject, where: string): JsonObject {
  const entry = spelled(written, where)
  const ours = Object.entries(entry).filter(([name]) => OURS.includes(name))
  const url = ADDRESSES.map((word) => entry[word]).find((one) => one !== undefined)
  const tools = toolsOf(entry)
  return {
    ...Object.fromEntries(ours),
    ...(url !== undefined && { url }),
    ...(tools !== undefined && { tools }),
  }
}

/** Under the names that we have for its keys: hosts write them in snake_case and kebab-case as well. */
function spelled(entry: JsonObject, where: string): JsonObject {
  const written = new Map<string, string>()
  for (const key of Object.keys(entry)) {
    const name = toCamel(key)
    if (!KNOWN.has(name) && !REMARK.test(key)) throw unknownKey(key, where)
    const other = written.get(name)
    if (other !== undefined)
      throw new UsageError(`${where}: ${other} and ${key} are one key. Keep one of them`)
    CHECKED[name]?.(entry[key], `${where}: ${key}`)
    written.set(name, key)
  }
  return Object.fromEntries([...written].map(([name, key]) => [name, entry[key]]))
}

/** The keys that are not read although they change what a host does. */
export function unreadKeys(entry: JsonObject): readonly string[] {
  return Object.keys(entry).filter((name) => UNREAD.includes(toCamel(name)))
}

/** A name that begins with one of these is a remark. */
const REMARK = /^(?:[_$]|x-|\/\/)/

function toCamel(name: string): string {
  return name.replaceAll(/[_-](\w)/g, (_whole, letter: string) => letter.toUpperCase())
}

function unknownKey(name: string, where: string): UsageError {
  const nearest = suggest(name, [...KNOWN])
  const help = KNOWN.has(nearest)
    ? `Did you mean ${nearest}?`
    : `Expected: ${[...OURS, 'disabled'].join(', ')}`
  return new UsageError(`${where}: there is no key ${name}. ${help}`)
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
