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
import type { Config } from './config.ts'
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
    if (resource === undefined)
      throw new UsageError('resource: tokens need the address they are made for: --resource URL')
    const granted = checkScopes('grant', config.lists['grant'] ?? [], server)
    return oauth({ issuer, resource, granted, scopesSupported: knownScopes(server) })
  }
  const { keyHeader, keyRequired } = ready.http
  const keys = readKeys(ready, config)
  for (const { name, scopes = [] } of keys) checkScopes(`key ${name}`, scopes, server)
  if (keys.length > 0) return apiKeys({ keys, ...(keyHeader !== undefined && { header: keyHeader }) })
  if (keyRequired !== true) return undefined
  const variable = settingsOf(ready)['key']?.environment
  throw new UsageError(`${variable} is not set: set it to the key that clients are to send in ${keyHeader}`)
}

/** A server's own variable holds one key, whatever is in it; flags, files and the common variable hold lists. */
function readKeys({ http }: ReadyServer, { settings, sources }: Config): readonly DigestedKey[] {
  const { key } = settings
  const file = settings['key-file']
  const source = sources['key'] ?? 'key'
  const parse = source === http.keyEnvironment ? parseKey : parseKeys
  try {
    return [
      ...(key === undefined ? [] : parse(key, source)),
      ...(file === undefined ? [] : parseKeyFile(readText(file), file)),
    ]
  } catch (error) {
    throw new UsageError((error as Error).message) // Whatever is wrong with a key was typed or set.
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`key-file: ${path} cannot be read: ${(error as Error).message}`)
  }
}
