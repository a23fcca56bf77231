// A small shop, whose tools models reach by scripts: `offer: 'code'`. Tools are written as ever.
import { defineServer, defineTool, elicit, Needs } from 'perigee'

const STOCK = [
  { name: 'green tea', price: 4, left: 12 },
  { name: 'white tea', price: 9, left: 0 },
  { name: 'black tea', price: 3, left: 40 },
]

const list = defineTool({
  name: 'list_stock',
  description: 'Lists what there is: names, prices and how many are left.',
  annotations: { readOnlyHint: true },
  output: {
    type: 'array',
    items: {
      type: 'object',
      properties: { name: { type: 'string' }, price: { type: 'number' }, left: { type: 'integer' } },
      required: ['name', 'price', 'left'],
    },
  },
  run: () => STOCK,
})

const order = defineTool({
  name: 'order',
  description: 'Orders something; the customer is asked how many.',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }, call) => {
    const schema = {
      type: 'object',
      properties: { count: { type: 'integer', minimum: 1 } },
      required: ['count'],
    } as const
    const asked = call.ask({ form: elicit({ message: `How many of ${name}?`, schema }) })
    if (asked instanceof Needs) return asked
    return asked.form.action === 'accept' ? `${asked.form.content.count} × ${name}` : `no ${name}`
  },
})

const empty = defineTool({
  name: 'empty_shelf',
  description: 'Throws away all there is of something.',
  annotations: { destructiveHint: true },
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }) => `no ${name} any more`,
})

export default defineServer({
  name: 'tea-shop',
  version: '1.0.0',
  offer: 'code',
  tools: [list, order, empty],
})
