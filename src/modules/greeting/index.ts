import { defineModule, defineTool } from '../../authoring/define.ts'

const hello = defineTool({
  name: 'hello',
  description: 'Returns a greeting message',
  input: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Name to greet' } },
    required: ['name'],
  },
  scopes: ['greeting'],
  run: ({ name }) => `Hello, ${name}!`,
})

/** One tool to begin with. */
export const greeting = defineModule({ name: 'greeting', tools: [hello] })
