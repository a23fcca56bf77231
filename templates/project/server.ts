import { defineResource, defineServer, defineTool } from 'perigee'

const hello = defineTool({
  name: 'hello',
  description: 'Say hello to someone',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
})

const motto = defineResource({
  uri: 'about://motto',
  name: 'motto',
  mimeType: 'text/plain',
  read: () => 'Near is good',
})

export default defineServer({ name: 'my-server', version: '1.0.0', tools: [hello], resources: [motto] })
