import { defineServer, defineTool } from 'perigee'
import { serveTcp } from './tcp.ts'

const add = defineTool({
  name: 'add',
  description: 'Add two numbers',
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  run: ({ a, b }) => `${a + b}`,
})

await serveTcp(defineServer({ name: 'sums', version: '1.0.0', tools: [add] }), 8181)
console.log('tcp://127.0.0.1:8181')
