import { defineTool } from '../../authoring/define.ts'
import { printPath } from '../../confined/explain.ts'
import type { AuthorCall as Call, ContentBlock } from '../../kernel/index.ts'
import type { Folder } from './folder.ts'
import { readContent } from './read-file.ts'
import { MAX_BYTES } from './read-text.ts'
import { FILE, READS } from './schemas.ts'

const MOST = 50

export function readFiles(folder: Folder) {
  return defineTool({
    name: 'read_files',
    title: 'Read files',
    description:
      'Read several files at once, each after a line with its path; those that cannot be read say why. All together they may have 1 MiB.',
    input: {
      type: 'object',
      properties: {
        paths: {
          type: 'array',
          items: FILE,
          minItems: 1,
          maxItems: MOST,
          description: 'The files, at most 50.',
        },
      },
      required: ['paths'],
      additionalProperties: false,
    },
    annotations: READS,
    scopes: ['files:read'],
    run: ({ paths }, call) => readAll(folder, paths, call),
  })
}

/** One after the other: together they may be as large as one alone. */
async function readAll(folder: Folder, paths: readonly string[], call: Call | undefined) {
  const content: ContentBlock[] = []
  let [size, failed] = [0, 0]
  for (const path of paths) {
    const say = (words: string) =>
      content.push({ type: 'text', text: `==> ${printPath(path)} <==\n${words}` })
    try {
      const read = await readContent(folder, { path }, call)
      size += typeof read === 'string' ? Buffer.byteLength(read) : read.data.length
      if (size > MAX_BYTES) throw new Error('There is no room for it here: read it by itself')
      if (typeof read === 'string') say(read)
      else {
        say('')
        content.push(read)
      }
    } catch (error) {
      if (!(error instanceof Error) || call?.aborted === true) throw error
      failed++
      say(error.message)
    }
  }
  return { content, ...(failed === paths.length && { isError: true }) }
}
