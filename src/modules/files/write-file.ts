import { printPath } from '../../confined/explain.ts'
import type { AuthorCall as Call } from '../../kernel/index.ts'
import { checkWhole } from './file-content.ts'
import type { Folder } from './folder.ts'
import { locateTarget, putFile } from './put-file.ts'

export function writeFile(folder: Folder) {
  return {
    name: 'write_file',
    title: 'Write file',
    description: 'Create a text file, or replace all of its content. The directory must exist.',
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to the root directory.' },
        content: { type: 'string', description: 'The whole new content.' },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    scopes: ['files:write'],
    run: (
      { path, content }: FileToWrite,
      call?: Pick<Call, 'aborted'> & Partial<Pick<Call, 'owner' | 'signal'>>,
    ) =>
      folder.use({ path, does: 'write', call }, async (root) => {
        checkWhole('content', content)
        const place = await locateTarget(root, path)
        const fill = (file: { writeFile(text: string): Promise<void> }) => file.writeFile(content)
        await putFile({ place, leftovers: folder.leftovers, call, fill })
        const bytes = Buffer.byteLength(content)
        return `Wrote ${bytes} ${bytes === 1 ? 'byte' : 'bytes'} to ${printPath(path)}`
      }),
  } as const
}

export interface FileToWrite {
  readonly path: string
  readonly content: string
}
