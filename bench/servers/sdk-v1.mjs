import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { INFO, TOOLS, textResult } from './zod-tools.mjs'

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
  const { serveSessions } = await import('./node-sessions.mjs')
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
  serveSessions(StreamableHTTPServerTransport, createServer, servers)
}
