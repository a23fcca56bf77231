import Fastify from 'fastify'
import { createNodeHandler, defineServer, defineTool } from 'perigee'

const hello = defineTool({
  name: 'hello',
  description: 'Say hello to someone',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
})
const mcp = createNodeHandler(defineServer({ name: 'behind-fastify', version: '1.0.0', tools: [hello] }))

const app = Fastify()
app.get('/', () => 'A page of yours')
app.all('/mcp', (request, reply) => {
  reply.hijack() // From here on the answer is MCP's: it may be a stream.
  mcp(request.raw, reply.raw, request.body)
})
app.addHook('preClose', async () => void (await mcp.close())) // Answers what is under way.

await app.listen({ host: '127.0.0.1', port: 8181 })
console.log('http://127.0.0.1:8181/mcp')
process.once('SIGTERM', () => void app.close())
