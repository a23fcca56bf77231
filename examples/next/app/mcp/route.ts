import { createFetchHandler, defineServer, defineTool } from 'perigee'

const hello = defineTool({
  name: 'hello',
  description: 'Say hello to someone',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
})
const server = defineServer({ name: 'a-route', version: '1.0.0', tools: [hello] })

/** `path` is where the route stands; sessions need a process that stays, so clients of older revisions call without. */
const mcp = createFetchHandler(server, { path: '/mcp', sessionless: 'served' })

export { mcp as DELETE, mcp as GET, mcp as POST }
