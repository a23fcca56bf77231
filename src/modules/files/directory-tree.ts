import { defineTool } from '../../authoring/define.ts'
import { failure, printName } from '../../confined/explain.ts'
import { locate } from '../../confined/locate.ts'
import { parsePlace, printPlace } from './cursor.ts'
import type { Folder } from './folder.ts'
import { CURSOR, FOLDER, IGNORED, limitOf, MORE, READS } from './schemas.ts'
import { DEEPEST, type WalkedEntry, walk } from './walk.ts'
import { checkWanted, inWalks } from './walks.ts'

const NAME = 'directory_tree'
const [FEW, MOST] = [500, 5000]

export function directoryTree(folder: Folder) {
  return defineTool({
    name: NAME,
    title: 'Directory tree',
    description:
      'List a directory and everything below it, one path a line; a directory ends in "/", a link in "@". What .gitignore names is left out unless told, and links are not followed. Long trees come in pages.',
    input: INPUT,
    output: {
      type: 'object',
      properties: {
        entries: {
          type: 'array',
          items: { type: 'string' },
          description: 'Paths from the directory asked for.',
        },
        nextCursor: MORE,
      },
      required: ['entries'],
      additionalProperties: false,
    },
    annotations: READS,
    scopes: ['files:read'],
    run: ({ path = '.', depth = DEEPEST, ignored = false, limit = FEW, cursor }, call) =>
      folder.at(path, async (root) => {
        const start = await folder.use(path, 'read', () => locate(root, path))
        if (!start.stats.isDirectory()) throw failure('NOT_DIRECTORY')
        const from = cursor === undefined ? undefined : String(parsePlace(NAME, cursor)[0])
        return inWalks(folder, call, async () => {
          const entries: string[] = []
          for await (const row of walk(start, { from, depth, ignoring: !ignored })) {
            checkWanted(call)
            for (const { path: way, kind } of row.entries) {
              if (entries.length === limit) return page(entries, printPlace(NAME, [way]))
              entries.push(`${way}${SIGNS[kind]}`)
            }
          }
          return page(entries)
        })
      }),
  })
}

const SIGNS: Record<WalkedEntry['kind'], string> = { folder: '/', file: '', link: '@', other: '' }

function page(entries: readonly string[], nextCursor?: string) {
  const more = nextCursor === undefined ? [] : [`There is more: go on with the cursor ${nextCursor}`]
  return {
    content: [{ type: 'text', text: [...entries.map(printName), ...more].join('\n') }],
    structuredContent: { entries, ...(nextCursor !== undefined && { nextCursor }) },
  } as const
}

const INPUT = {
  type: 'object',
  properties: {
    path: FOLDER,
    depth: { type: 'integer', minimum: 1, maximum: DEEPEST, description: 'How deep to go.' },
    ignored: IGNORED,
    limit: limitOf(FEW, MOST),
    cursor: CURSOR,
  },
  additionalProperties: false,
} as const
