import { defineTool } from '../../authoring/define.ts'
import { statInside } from '../../confined/confine.ts'
import { locate } from '../../confined/locate.ts'
import { findMimeType } from '../../confined/mime-type.ts'
import type { Folder } from './folder.ts'
import { READS } from './schemas.ts'

export function fileInfo(folder: Folder) {
  return defineTool({
    name: 'file_info',
    title: 'File info',
    description: 'Tell what a path is: its kind, size, times and rights. A link is followed.',
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file or directory, relative to the root directory.' },
      },
      required: ['path'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        kind: { enum: ['file', 'directory', 'other'] },
        bytes: { type: 'integer' },
        modified: { type: 'string', format: 'date-time' },
        created: { type: 'string', format: 'date-time' },
        mode: { type: 'string', description: 'Rights, as 644.' },
        mimeType: { type: 'string', description: 'By the end of its name, where that says one.' },
      },
      required: ['path', 'kind', 'bytes', 'modified', 'created', 'mode'],
      additionalProperties: false,
    },
    annotations: READS,
    scopes: ['files:read'],
    run: ({ path }, call) =>
      folder.use({ path, does: 'read', call }, async (root) => {
        const stats = await statInside(await locate(root, path))
        const mimeType = stats.isFile() ? findMimeType(path) : undefined
        return {
          path,
          kind: kindOf(stats),
          bytes: stats.size,
          modified: stats.mtime.toISOString(),
          created: stats.birthtime.toISOString(),
          mode: (stats.mode & 0o777).toString(8),
          ...(mimeType !== undefined && { mimeType }),
        } as const
      }),
  })
}

function kindOf(stats: { isFile(): boolean; isDirectory(): boolean }): 'file' | 'directory' | 'other' {
  if (stats.isFile()) return 'file'
  return stats.isDirectory() ? 'directory' : 'other'
}
