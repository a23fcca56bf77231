// tmcp with its Redis managers for sessions, streams and subscriptions.
import { serve } from '@hono/node-server'
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod'
import {
  RedisInfoSessionManager,
  RedisStreamSessionManager,
  RedisSubscriptionManager,
} from '@tmcp/session-manager-redis'
import { HttpTransport } from '@tmcp/transport-http'
import { McpServer } from 'tmcp'
import { z } from 'zod'
import { INFO, PORT, ROOMS, roomUri, said, TOOLS, textResult, WORD } from './tools.mjs'

const server = new McpServer(INFO, {
  adapter: new ZodJsonSchemaAdapter(),
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } },
  requestState: { secret: process.env.PERIGEE_SECRET },
})

for (const { name, schema, run } of TOOLS) {
  server.tool({ name, description: name, schema }, async (args) =>
    textResult(await run(args, { progress: (done, total) => server.progress(done, total) })),
  )
}
const token = z.object({ token: z.string() })
server.tool({ name: 'ask', description: 'ask', schema: token, replayable: true }, async ({ token }) => {
  const { action, content } = await server.elicitation('Which word?', WORD)
  return textResult(said(`${token} ${action === 'accept' ? content.word : action}`))
})
server.tool({ name: 'think', description: 'think', schema: token, replayable: true }, async ({ token }) => {
  const messages = [{ role: 'user', content: { type: 'text', text: 'A word?' } }]
  const { content } = await server.message({ messages, maxTokens: 9 })
  return textResult(said(`${token} ${content.text}`))
})
const touch = z.object({ token: z.string(), uri: z.string() })
server.tool({ name: 'touch', description: 'touch', schema: touch }, async ({ token, uri }) => {
  server.changed('resource', uri)
  return textResult(said(token))
})
server.tool({ name: 'flip', description: 'flip', schema: token }, async ({ token }) => {
  server.changed('tools')
  return textResult(said(token))
})
for (let room = 0; room < ROOMS; room++) {
  const uri = roomUri(room)
  server.resource({ name: `room-${room}`, description: 'a room', uri }, async () => ({
    contents: [{ uri, text: String(Date.now()) }],
  }))
}

// Its managers publish on the connection that is subscribed, which Redis refuses; nobody listens to the rejection.
process.on('unhandledRejection', (error) => console.error(String(error)))

const url = process.env.STORM_STORE
const transport = new HttpTransport(server, {
  path: '/mcp',
  sessionManager: { streams: new RedisStreamSessionManager(url), info: new RedisInfoSessionManager(url) },
  subscriptionManager: new RedisSubscriptionManager(url),
})
serve(
  {
    fetch: async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
    port: PORT,
    hostname: '127.0.0.1',
  },
  () => console.log(`listening at http://127.0.0.1:${PORT}/mcp`),
)
