import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createFetchHandler, defineServer, defineTool } from 'perigee'

const hello = defineTool({
  name: 'hello',
  description: 'Say hello to someone',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
})
const mcp = createFetchHandler(defineServer({ name: 'behind-hono', version: '1.0.0', tools: [hello] }))

const app = new Hono()
app.get('/', (context) => context.text('A page of yours'))
app.all('/mcp', (context) => mcp(context.req.raw))

// On Bun and Deno, and in Workers, `export default app` is all there is to it.
const listening = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 8181 }, () =>
  console.log('http://127.0.0.1:8181/mcp'),
)
process.once('SIGTERM', () => {
  listening.close()
  void mcp.close() // Answers what is under way.
})
