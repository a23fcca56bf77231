import { defineTool } from '../../authoring/define.ts'
import type { Folder } from './folder.ts'
import { READS } from './schemas.ts'

export function listRootsTool(folder: Folder) {
  return defineTool({
    name: 'list_roots',
    title: 'List roots',
    description:
      'List the directories whose files may be used. Where a path is not absolute, it begins in the first.',
    input: { type: 'object', properties: {}, additionalProperties: false },
    output: {
      type: 'object',
      properties: { roots: { type: 'array', items: { type: 'string' } } },
      required: ['roots'],
      additionalProperties: false,
    },
    annotations: READS,
    scopes: ['files:read'],
    run: () => ({ roots: [...folder.roots] }),
  })
}
