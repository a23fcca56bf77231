// The same with access tokens: an OAuth 2.1 resource server.
import { defineServer, defineTool, oauth, serveHttp } from 'perigee'

const whoami = defineTool({
  name: 'whoami',
  description: 'Who is calling',
  scopes: ['notes'],
  run: (_args, call) => call.principal?.id ?? 'nobody',
})

const { url } = await serveHttp(defineServer({ name: 'notes', version: '1.0.0', tools: [whoami] }), {
  port: 8181,
  authenticator: oauth({ issuer: 'http://127.0.0.1:8182', resource: 'http://127.0.0.1:8181/mcp' }),
})
console.log(url)
