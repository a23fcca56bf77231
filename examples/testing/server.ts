import { defineServer, defineTool, elicit, Needs } from 'perigee'

const area = defineTool({
  name: 'area',
  description: 'The area of a rectangle',
  scopes: ['geometry'],
  input: {
    type: 'object',
    properties: { width: { type: 'number' }, height: { type: 'number' } },
    required: ['width', 'height'],
  },
  output: { type: 'object', properties: { area: { type: 'number' } }, required: ['area'] },
  run: ({ width, height }) => ({ area: width * height }),
})

const reset = defineTool({
  name: 'reset',
  description: 'Forgets everything, if the user says so',
  run: (_args, call) => {
    const asked = call.ask({ sure: elicit({ message: 'Sure?', schema: { type: 'object', properties: {} } }) })
    if (asked instanceof Needs) return asked
    return asked.sure.action === 'accept' ? 'Forgotten' : 'Kept'
  },
})

export default defineServer({ name: 'geometry', version: '1.0.0', tools: [area, reset] })
