import express from 'express'
import { createNodeHandler, defineServer, defineTool } from 'perigee'

const hello = defineTool({
  name: 'hello',
  description: 'Say hello to someone',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
})
const mcp = createNodeHandler(defineServer({ name: 'behind-express', version: '1.0.0', tools: [hello] }))

const app = express()
app.use(express.json()) // With it or without: MCP takes the body as it finds it.
app.get('/', (_request, response) => void response.send('A page of yours'))
app.all('/mcp', mcp)

const listening = app.listen(8181, '127.0.0.1', () => console.log('http://127.0.0.1:8181/mcp'))
process.once('SIGTERM', () => {
  listening.close()
  void mcp.close() // Answers what is under way.
})
