import { type JsonObject, suggest } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
import type { WrittenUpstream } from './read-upstreams.ts'

/** What is read of an entry, and what for. */
const OURS = [
  ...['url', 'headers', 'forwardHeaders'],
  ...['command', 'args', 'env', 'cwd'],
  ...['revision', 'prefix', 'shared', 'scopes'],
  ...['tools', 'rename', 'descriptions', 'annotations'],
]

/** Hosts have several words for an address. */
const ADDRESSES = ['url', 'httpUrl', 'serverUrl']

/** What some hosts call the tools that are wanted, and those that are not. */
const WANTED = ['includeTools', 'enabledTools']
const UNWANTED = ['excludeTools', 'disabledTools']

/** What hosts write for themselves. */
const HOSTS = [
  ...['type', 'transport', 'transportType', 'name', 'title', 'description', 'icon', 'version', 'gallery'],
  ...['disabled', 'enabled', 'active', 'required', 'autoStart', 'autoApprove', 'alwaysAllow', 'trust'],
  ...['timeout', 'initTimeout', 'startupTimeout', 'networkTimeout', 'requestTimeout', 'toolTimeout'],
  ...['envFile', 'envVars', 'dev', 'sandbox', 'sandboxEnabled', 'oauth', 'auth', 'authProviderType'],
  ...['headersHelper', 'envHttpHeaders', 'bearerTokenEnvVar', 'tags', 'source', 'note', 'comment', 'stderr'],
]

const KNOWN: ReadonlySet<string> = new Set([...OURS, ...ADDRESSES, ...WANTED, ...UNWANTED, ...HOSTS])

/** An entry of a file, in our words; a name that nobody reads is a mistake that nobody sees. */
export function readEntry(entry: JsonObject, where: string): WrittenUpstream {
  for (const name of Object.keys(entry)) if (!isKnown(name)) throw unknownKey(name, where)
  const ours = Object.entries(entry).filter(([name]) => OURS.includes(name))
  const url = ADDRESSES.map((word) => entry[word]).find((one) => one !== undefined)
  const tools = [...listIn(entry, ['tools', ...WANTED]), ...listIn(entry, UNWANTED).map((one) => `!${one}`)]
  return {
    ...Object.fromEntries(ours),
    ...(url !== undefined && { url: url as string }), // Looked at with the rest.
    ...(tools.length > 0 && { tools }),
  }
}

/** A name that begins with `_`, `$` or `x-` is a remark. */
function isKnown(name: string): boolean {
  return KNOWN.has(name) || KNOWN.has(toCamel(name)) || /^(?:[_$]|x-|\/\/)/.test(name)
}

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

function listIn(entry: JsonObject, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (Array.isArray(entry[name]) ? (entry[name] as readonly string[]) : []))
}
