import { defineTool } from '../../authoring/define.ts'
import { failure, printName } from '../../confined/explain.ts'
import { locate } from '../../confined/locate.ts'
import { parsePlace, printPlace } from './cursor.ts'
import { Effort } from './effort.ts'
import type { Folder } from './folder.ts'
import { unreadRules } from './ignore-rules.ts'
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
        const start = await folder.use({ path, does: 'read', call }, () => locate(root, path))
        if (!start.stats.isDirectory()) throw failure('NOT_DIRECTORY')
        const from = cursor === undefined ? undefined : String(parsePlace(NAME, cursor)[0])
        return inWalks(folder, call, async () => {
          const [entries, effort]: [string[], Effort] = [[], new Effort()]
          let isOver = false
          for await (const row of walk(start, { from, depth, ignoring: !ignored, effort })) {
            checkWanted(call)
            if (isOver) return page(entries, effort, row.at)
            for (const { path: way, kind } of row.entries) {
              if (entries.length === limit) return page(entries, effort, way)
              entries.push(`${way}${SIGNS[kind]}`)
            }
            isOver = effort.isSpent
          }
          return page(entries, effort)
        })
      }),
  })
}

const SIGNS: Record<WalkedEntry['kind'], string> = { folder: '/', file: '', link: '@', other: '' }

function page(entries: readonly string[], effort: Effort, next?: string) {
  const nextCursor = next === undefined ? undefined : printPlace(NAME, [next])
  const more = nextCursor === undefined ? [] : [`There is more: go on with the cursor ${nextCursor}`]
  return {
    content: [
      { type: 'text', text: [...entries.map(printName), ...unreadRules(effort), ...more].join('\n') },
    ],
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
