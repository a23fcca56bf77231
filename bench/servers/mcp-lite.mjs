import { serve } from '@hono/node-server'
import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from 'mcp-lite'
import { z } from 'zod'
import { INFO, PORT, TOOLS, textResult } from './zod-tools.mjs'

const server = new McpServer({ ...INFO, schemaAdapter: (schema) => z.toJSONSchema(schema) })
// It has no log notices.
for (const { name, description, schema, run } of TOOLS.filter((tool) => tool.name !== 'notify')) {
  server.tool(name, { description, inputSchema: schema, handler: (args) => textResult(run(args)) })
}

const sessionAdapter = new InMemorySessionAdapter({ maxEventBufferSize: 256 })
serve({
  fetch: new StreamableHttpTransport({ sessionAdapter }).bind(server),
  port: PORT,
  hostname: '127.0.0.1',
})
