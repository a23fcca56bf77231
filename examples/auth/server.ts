import { apiKeys, defineServer, defineTool, parseKeys, serveHttp } from 'perigee'

const whoami = defineTool({
  name: 'whoami',
  description: 'Who is calling',
  run: (_args, call) => call.principal?.id ?? 'nobody',
})

const publish = defineTool({
  name: 'publish',
  description: 'Publish a note',
  scopes: ['notes:write'], // Without it, a caller neither sees nor calls this tool.
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }, call) => `${call.principal?.id} publishes: ${text}`,
})

const server = defineServer({ name: 'notes', version: '1.0.0', tools: [whoami, publish] })

// NAME=KEY, and after a colon what that key may use; one without scopes may use everything.
const keys = parseKeys(process.env['NOTES_KEYS'] ?? '')
const { url } = await serveHttp(server, { port: 8181, authenticator: apiKeys({ keys }) })
console.log(url)
