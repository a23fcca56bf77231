import { FastMCP } from 'fastmcp'
import { INFO, JSON_ANSWERS, PORT, TOOLS } from './zod-tools.mjs'

const server = new FastMCP(INFO)
for (const { name, description, schema, run } of TOOLS) {
  server.addTool({
    name,
    description,
    parameters: schema,
    execute: async (args, { log }) => run(args, (data) => log.info(data)),
  })
}
server.addTool({
  name: 'announce',
  description: 'Tells every session of a change',
  execute: async () => {
    server.addTool({ name: 'passing', execute: async () => '' })
    server.removeTool('passing')
    return 'told'
  },
})

if (process.argv[2] === 'http') {
  await server.start({
    transportType: 'httpStream',
    httpStream: { port: PORT, host: '127.0.0.1', enableJsonResponse: JSON_ANSWERS },
  })
} else await server.start({ transportType: 'stdio' })
