import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod'
import { McpServer } from 'tmcp'
import { z } from 'zod'
import { INFO, PORT, TOOLS, textResult } from './zod-tools.mjs'

const server = new McpServer(INFO, {
  adapter: new ZodJsonSchemaAdapter(),
  capabilities: { tools: { listChanged: true }, logging: {} },
})
for (const { name, description, schema, run } of TOOLS) {
  server.tool({ name, description, schema }, async (args) =>
    textResult(await run(args, (data) => server.log('info', data, 'bench'))),
  )
}

/** A tool that is made once more is a change, and every session is told of it. */
function addAnnounce() {
  const definition = {
    name: 'announce',
    description: 'Tells every session of a change',
    schema: z.object({}),
  }
  server.tool(definition, async () => {
    addAnnounce()
    return textResult('told')
  })
}
addAnnounce()

if (process.argv[2] === 'http') {
  const { HttpTransport } = await import('@tmcp/transport-http')
  const { serve } = await import('@hono/node-server')
  const transport = new HttpTransport(server, { path: '/mcp' })
  serve({
    fetch: async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
    port: PORT,
    hostname: '127.0.0.1',
  })
} else {
  const { StdioTransport } = await import('@tmcp/transport-stdio')
  new StdioTransport(server).listen()
}
