import { defineModule, defineTool, type Module } from '../../authoring/define.ts'

const hello = defineTool({
  name: 'hello',
  description: 'Say hello to someone',
  input: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Name to greet' } },
    required: ['name'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  scopes: ['basics'],
  run: ({ name }) => `Hello, ${name}!`,
})

const add = defineTool({
  name: 'add',
  description: 'Add two numbers',
  input: {
    type: 'object',
    properties: {
      a: { type: 'number', description: 'First number' },
      b: { type: 'number', description: 'Second number' },
    },
    required: ['a', 'b'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  scopes: ['basics'],
  run: ({ a, b }) => String(a + b),
})

const echo = defineTool({
  name: 'echo',
  description: 'Give a message back as it came',
  input: {
    type: 'object',
    properties: { message: { type: 'string', description: 'Message to give back' } },
    required: ['message'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  scopes: ['basics'],
  run: ({ message }) => message,
})

/**
 * The three tools to try a connection with.
 * @example defineServer({ name: 'mine', version: '1.0.0', modules: [basics()] })
 */
export function basics(): Module {
  return defineModule({ name: 'basics', tools: [hello, add, echo] })
}
