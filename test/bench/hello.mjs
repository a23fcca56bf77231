import { defineServer, defineTool, serveStdio } from '../../dist/index.js'

/** The server of the README. */
const hello = defineTool({
  name: 'hello',
  description: 'Say hello to someone',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `Hello, ${name}!`,
})

serveStdio(defineServer({ name: 'hello', version: '1.0.0', tools: [hello] }))
