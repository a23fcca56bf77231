import { readFileSync } from 'node:fs'
import { knownScopes, type Server } from '../kernel/index.ts'
import type { ReadyServer } from '../servers/ready-server.ts'
import {
  apiKeys,
  type DigestedKey,
  parseKey,
  parseKeyFile,
  parseKeys,
} from '../transports/http/auth/api-keys.ts'
import { oauth } from '../transports/http/auth/oauth.ts'
import type { Authenticator } from '../transports/http/exchange.ts'
import { checkScopes } from './check-scopes.ts'
import { type Config, isEmptyVariable } from './config.ts'
import { settingsOf } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** Who may call: holders of keys, or of tokens; nobody is asked where neither is set. */
export function authenticatorOf(
  ready: ReadyServer,
  server: Server,
  config: Config,
): Authenticator | undefined {
  const { issuer, resource } = config.settings
  if (issuer !== undefined) {
    refuseKeys(config)
    if (resource === undefined)
      throw new UsageError('resource: tokens need the address they are made for: --resource URL')
    const granted = checkScopes('grant', config.lists['grant'] ?? [], server)
    return typed(() => oauth({ issuer, resource, granted, scopesSupported: knownScopes(server) }))
  }
  refuseTokenSettings(config)
  const { keyHeader, keyRequired } = ready.http
  const keys = readKeys(ready, config)
  for (const { name, scopes = [] } of keys) checkScopes(`key ${name}`, scopes, server)
  const header = keyHeader === undefined ? {} : { header: keyHeader }
  if (keys.length > 0) return typed(() => apiKeys({ keys, ...header }), /^keys(?=: )/, sourceOfKeys(config))
  if (keyRequired !== true) return refuseEmpty(ready, config)
  const variable = settingsOf(ready)['key']?.environment
  throw new UsageError(`${variable} is not set: set it to the key that clients are to send in ${keyHeader}`)
}

/** A key that is not asked for opens nothing, and whoever gave it believes that it does. */
function refuseKeys({ settings, sources }: Config): void {
  const given = ['key', 'key-file'].find((name) => settings[name] !== undefined)
  if (given === undefined) return
  throw new UsageError(
    `${sources[given]} and ${sources['issuer']}: callers are known by keys or by tokens, not by both: leave one of them out`,
  )
}

/** An empty variable is elsewhere as good as none, and here it would open the door. */
function refuseEmpty(ready: ReadyServer, { switches }: Config): undefined {
  const known = settingsOf(ready)
  const empty = ['key', 'key-file', 'issuer'].find((name) =>
    isEmptyVariable(known[name] ?? { description: '' }),
  )
  if (empty === undefined || switches.has('allow-anonymous')) return
  throw new UsageError(
    `${known[empty]?.environment} is empty, so nobody would be asked who they are: set it, unset it, or add --allow-anonymous`,
  )
}

/** Whoever says what tokens are for means that they are asked for. */
function refuseTokenSettings({ settings, lists, sources }: Config): void {
  const given = ['resource', 'grant'].find((name) => settings[name] !== undefined || lists[name]?.length)
  if (given === undefined) return
  throw new UsageError(
    `${sources[given]} is for tokens, and nobody is named whose are taken: add --issuer URL, or leave it out`,
  )
}

/** A server's own variable holds one key, whatever is in it; flags, files and the common variable hold lists. */
function readKeys({ http }: ReadyServer, { settings, sources }: Config): readonly DigestedKey[] {
  const { key } = settings
  const file = settings['key-file']
  const source = sources['key'] ?? 'key'
  const parse = source === http.keyEnvironment ? parseKey : parseKeys
  return typed(() => [
    ...(key === undefined ? [] : parse(key, source)),
    ...(file === undefined ? [] : parseKeyFile(readText(file), file)),
  ])
}

/** Whatever is wrong with keys and addresses was typed or set. */
function typed<Read>(read: () => Read, named: RegExp | string = '', source = ''): Read {
  try {
    return read()
  } catch (error) {
    throw new UsageError((error as Error).message.replace(named, source))
  }
}

/** Where they stand: one key may be in both. */
function sourceOfKeys({ settings, sources }: Config): string {
  const given = settings['key'] === undefined ? [] : [sources['key']]
  return [...given, ...(settings['key-file'] === undefined ? [] : [settings['key-file']])].join(' and ')
}

/** Whether what was set is a key as callers send it, and not a list of names and keys. */
export function isPlainKey(ready: ReadyServer, config: Config): boolean {
  const { key } = config.settings
  return key !== undefined && readKeys(ready, config).some((one) => one.sha256 === parseKey(key)[0]?.sha256)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`key-file: ${path} cannot be read: ${(error as Error).message}`)
  }
}
