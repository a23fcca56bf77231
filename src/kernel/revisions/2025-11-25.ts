import { revision as previous } from './2025-06-18.ts'
import type { Revision } from './revision.ts'

const { fields } = previous

/** https://modelcontextprotocol.io/specification/2025-11-25/changelog */
export const revision: Revision = {
  ...previous,
  id: '2025-11-25',
  unreadableId: undefined,
  elicitation: [...previous.elicitation, 'url'],
  formLists: true,
  sampledBlocks: true,
  elicitationId: true,
  requests: [...previous.requests, 'tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'],
  tasks: 'core',
  capabilities: [...previous.capabilities, 'tasks'],
  badArguments: 'tool-result',
  priming: true,
  fields: {
    ...fields,
    tool: [...fields.tool, 'icons', 'execution'],
    resource: [...fields.resource, 'icons'],
    template: [...fields.template, 'icons'],
    prompt: [...fields.prompt, 'icons'],
    implementation: [...fields.implementation, 'description', 'icons', 'websiteUrl'],
  },
}
