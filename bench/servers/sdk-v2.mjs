import { McpServer } from '@modelcontextprotocol/server'
import { INFO, JSON_ANSWERS, PORT, TOOLS, textResult } from './zod-tools.mjs'

const servers = new Set()

function createServer() {
  const server = new McpServer(INFO, { capabilities: { tools: { listChanged: true }, logging: {} } })
  for (const { name, description, schema, run } of TOOLS) {
    server.registerTool(name, { description, inputSchema: schema }, async (args, context) =>
      textResult(await run(args, (data) => context.mcpReq.log('info', data, 'bench'))),
    )
  }
  server.registerTool('announce', { description: 'Tells every session of a change' }, async () => {
    for (const one of servers) one.sendToolListChanged()
    return textResult('told')
  })
  return server
}

const [, , transport, era] = process.argv
if (transport === 'http') await (era === 'post-only' ? servePostOnly() : serveSessions())
else {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  serveStdio(createServer)
}

async function serveSessions() {
  const { createServer: createNodeServer } = await import('node:http')
  const { randomUUID } = await import('node:crypto')
  const { NodeStreamableHTTPServerTransport } = await import('@modelcontextprotocol/node')
  const transports = new Map()
  const open = async () => {
    const transport = new NodeStreamableHTTPServerTransport({
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

async function servePostOnly() {
  const { createServer: createNodeServer } = await import('node:http')
  const { createMcpHandler } = await import('@modelcontextprotocol/server')
  const { toNodeHandler } = await import('@modelcontextprotocol/node')
  createNodeServer(toNodeHandler(createMcpHandler(createServer))).listen(PORT, '127.0.0.1')
}
