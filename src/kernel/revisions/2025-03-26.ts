import { revision as previous } from './2024-11-05.ts'
import type { Revision } from './revision.ts'

/** https://modelcontextprotocol.io/specification/2025-03-26/changelog */
export const revision: Revision = {
  ...previous,
  id: '2025-03-26',
  batches: true,
  capabilities: [...previous.capabilities, 'completions'],
  contents: [...previous.contents, 'audio'],
  fields: {
    ...previous.fields,
    tool: [...previous.fields.tool, 'annotations'],
    progress: [...previous.fields.progress, 'message'],
  },
}
