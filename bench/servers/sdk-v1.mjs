import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { INFO, JSON_ANSWERS, PORT, TOOLS, textResult } from './zod-tools.mjs'

const servers = new Set()

function createServer() {
  const server = new McpServer(INFO, { capabilities: { tools: { listChanged: true }, logging: {} } })
  for (const { name, description, schema, run } of TOOLS) {
    server.registerTool(name, { description, inputSchema: schema }, async (args, extra) => {
      const say = (data) =>
        extra.sendNotification({
          method: 'notifications/message',
          params: { level: 'info', logger: 'bench', data },
        })
      return textResult(await run(args, say))
    })
  }
  server.registerTool('announce', { description: 'Tells every session of a change' }, async () => {
    for (const one of servers) one.sendToolListChanged()
    return textResult('told')
  })
  return server
}

if (process.argv[2] === 'http') await serveHttp()
else {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  await createServer().connect(new StdioServerTransport())
}

async function serveHttp() {
  const { createServer: createNodeServer } = await import('node:http')
  const { randomUUID } = await import('node:crypto')
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
  const transports = new Map()
  const open = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: JSON_ANSWERS,
      onsessioninitialized: (id) => transports.set(id, transport),
    })
    const server = createServer()
    servers.add(server)
    await server.connect(transport)
    return transport
  }
  createNodeServer(async (request, response) => {
    const transport = transports.get(request.headers['mcp-session-id']) ?? (await open())
    await transport.handleRequest(request, response)
  }).listen(PORT, '127.0.0.1')
}
