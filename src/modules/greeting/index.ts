import { defineModule, defineTool, type Module } from '../../authoring/define.ts'

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

/**
 * One tool to begin with.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [greeting()] })
 */
export function greeting(): Module {
  return defineModule({ name: 'greeting', tools: [hello] })
}
