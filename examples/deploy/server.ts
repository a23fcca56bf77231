import { defineServer, defineTool } from 'perigee'

const hello = defineTool({
  name: 'hello',
  description: 'Say hello to someone',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
})

export default defineServer({ name: 'deployed', version: '1.0.0', tools: [hello] })
