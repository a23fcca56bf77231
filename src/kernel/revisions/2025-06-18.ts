import { revision as previous } from './2025-03-26.ts'
import type { Revision } from './revision.ts'

const { fields } = previous

/** https://modelcontextprotocol.io/specification/2025-06-18/changelog */
export const revision: Revision = {
  ...previous,
  id: '2025-06-18',
  batches: false,
  questions: [...previous.questions, 'elicitation/create'],
  elicitation: ['form'],
  contents: [...previous.contents, 'resource_link'],
  structured: 'object',
  fields: {
    ...fields,
    tool: [...fields.tool, 'title', 'outputSchema', '_meta'],
    resource: [...fields.resource, 'title', '_meta'],
    template: [...fields.template, 'title', '_meta'],
    prompt: [...fields.prompt, 'title', '_meta'],
    argument: [...fields.argument, 'title'],
    annotations: [...fields.annotations, 'lastModified'],
    implementation: [...fields.implementation, 'title'],
    content: [...fields.content, '_meta'],
  },
}
