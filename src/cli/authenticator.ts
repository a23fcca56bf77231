import { readFileSync } from 'node:fs'
import type { ReadyServer } from '../servers/ready-server.ts'
import { apiKeys, parseKeyFile, parseKeys } from '../transports/http/auth/api-keys.ts'
import { oauth } from '../transports/http/auth/oauth.ts'
import type { Authenticator } from '../transports/http/exchange.ts'
import type { Config } from './config.ts'
import { settingsOf } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** Who may call: holders of keys, or of tokens; nobody is asked where neither is set. */
export function authenticatorOf(server: ReadyServer, { settings }: Config): Authenticator | undefined {
  const { issuer, resource, key } = settings
  const file = settings['key-file']
  if (issuer !== undefined) {
    if (resource === undefined)
      throw new UsageError('resource: tokens need the address they are made for: --resource URL')
    return oauth({ issuer, resource })
  }
  const { keyHeader, keyRequired } = server.http
  const keys = [
    ...(key === undefined ? [] : parseKeys(key)),
    ...(file === undefined ? [] : parseKeyFile(readText(file))),
  ]
  if (keys.length > 0) return apiKeys({ keys, ...(keyHeader !== undefined && { header: keyHeader }) })
  if (keyRequired !== true) return undefined
  const variable = settingsOf(server)['key']?.environment
  throw new UsageError(`${variable} is not set: set it to the key that clients are to send in ${keyHeader}`)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`key-file: ${path} cannot be read: ${(error as Error).message}`)
  }
}
