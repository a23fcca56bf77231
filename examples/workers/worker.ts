import { createFetchHandler, defineServer, defineTool } from 'perigee'

const hello = defineTool({
  name: 'hello',
  description: 'Say hello to someone',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
})
const server = defineServer({ name: 'at-the-edge', version: '1.0.0', tools: [hello] })

/** Nothing is kept between requests, so clients of older revisions call without a session. */
export default { fetch: createFetchHandler(server, { sessionless: 'served' }) }
