import { McpServer } from '@modelcontextprotocol/server'
import { INFO, PORT, TOOLS, textResult } from './zod-tools.mjs'

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
if (transport === 'http') await (era === 'post-only' ? servePostOnly() : serveHandshake())
else {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  serveStdio(createServer)
}

async function serveHandshake() {
  const { serveSessions } = await import('./node-sessions.mjs')
  const { NodeStreamableHTTPServerTransport } = await import('@modelcontextprotocol/node')
  serveSessions(NodeStreamableHTTPServerTransport, createServer, servers)
}

async function servePostOnly() {
  const { createServer: createNodeServer } = await import('node:http')
  const { createMcpHandler } = await import('@modelcontextprotocol/server')
  const { toNodeHandler } = await import('@modelcontextprotocol/node')
  createNodeServer(toNodeHandler(createMcpHandler(createServer))).listen(PORT, '127.0.0.1')
}
