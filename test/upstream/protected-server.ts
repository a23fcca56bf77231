import { freePort } from '../../scripts/free-port.mjs'
import { defineServer, defineTool, oauth, serveHttp } from '../../src/index.ts'
import { type AuthorizationServer, startAuthorizationServer } from './authorization-server.mjs'
import { ending } from './gateway-of.ts'
import { configure } from './signing-in.ts'

/** A server of ours that takes the tokens of a real authorization server, in a configuration. */
export async function protectedServer(options: Partial<Parameters<typeof startAuthorizationServer>[0]> = {}) {
  const port = await freePort()
  const resource = `http://127.0.0.1:${port}/mcp`
  const issuer: AuthorizationServer = await startAuthorizationServer({ resource, ...options })
  const server = defineServer({
    name: 'files',
    version: '1',
    tools: [defineTool({ name: 'whoami', run: (_none, { principal }) => principal?.id ?? 'nobody' })],
  })
  const authenticator = oauth({ issuer: issuer.issuer, resource, scopesSupported: ['tools'] })
  const http = await serveHttp(server, { port, authenticator, greeting: 'none' })
  ending.push(
    () => issuer.close(),
    () => http.close(0),
  )
  return { url: resource, issuer, from: configure({ url: resource }) }
}
