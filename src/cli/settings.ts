import type { ReadyServer, Setting } from '../servers/ready-server.ts'

/** The settings that every server has when it is served over HTTP. */
export function httpSettings({ http }: ReadyServer): { readonly [name: string]: Setting } {
  const header = http.keyHeader ?? 'Authorization: Bearer'
  return {
    host: {
      environment: 'HOST',
      placeholder: 'ADDRESS',
      description: 'where to listen',
      fallback: '127.0.0.1',
    },
    port: { environment: 'PORT', placeholder: 'N', description: 'the port to listen on', fallback: '8181' },
    key: {
      environment: http.keyEnvironment ?? 'PERIGEE_API_KEY',
      placeholder: 'KEY',
      description: `who may call, in ${header}: a key, or name=key[:scope+scope],…`,
    },
    'key-file': {
      environment: 'PERIGEE_KEY_FILE',
      placeholder: 'FILE',
      description: 'the same as JSON: [{"name", "key" or "sha256", "scopes"}]',
    },
    issuer: {
      environment: 'PERIGEE_ISSUER',
      placeholder: 'URL',
      description: 'whose OAuth tokens are taken',
    },
    resource: {
      environment: 'PERIGEE_RESOURCE',
      placeholder: 'URL',
      description: 'the address of this server that tokens must be made for',
    },
    'allow-host': {
      environment: 'PERIGEE_ALLOW_HOST',
      placeholder: 'NAME,…',
      description: 'names by which clients may reach it',
    },
    'allow-origin': {
      environment: 'PERIGEE_ALLOW_ORIGIN',
      placeholder: 'ORIGIN,…',
      description: 'web pages that may call it',
    },
    'max-body': {
      environment: 'PERIGEE_MAX_BODY',
      placeholder: 'BYTES',
      description: 'the longest request',
      fallback: '1048576',
    },
    'shutdown-timeout': {
      environment: 'PERIGEE_SHUTDOWN_TIMEOUT',
      placeholder: 'SECONDS',
      description: 'how long calls may finish when it stops',
      fallback: '30',
    },
  }
}

/** What is either given or not. */
export const SWITCHES: { readonly [name: string]: string } = {
  stdio: 'serve on stdin and stdout',
  http: 'serve over HTTP',
  'allow-anonymous': 'let anybody call who can reach it, from other machines too',
  help: 'this text',
  version: 'its version',
}
