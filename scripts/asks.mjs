import { defineTool, elicit, needs } from '../dist/index.js'

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

/** A tool that asks its client before it answers. */
export const asks = defineTool({
  name: 'asks',
  input: { type: 'object' },
  run: (_, call) => {
    if (call.answers['who'] === undefined) return needs({ who: elicit({ message: 'Who?', schema }) })
    return JSON.stringify(call.answers['who'])
  },
})
