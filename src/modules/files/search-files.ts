import { posix } from 'node:path'
import { defineTool } from '../../authoring/define.ts'
import { failure, printName } from '../../confined/explain.ts'
import { locate } from '../../confined/locate.ts'
import { parsePlace, printPlace } from './cursor.ts'
import type { Effort } from './effort.ts'
import type { Folder } from './folder.ts'
import { compileGlob } from './glob.ts'
import { unreadRules } from './ignore-rules.ts'
import { LONGEST_LINE, lineSearch } from './line-search.ts'
import { CURSOR, FOLDER, IGNORED, limitOf, MORE, READS } from './schemas.ts'
import { type Match, Search, type SearchPlace } from './search.ts'
import { inWalks } from './walks.ts'

const NAME = 'search_files'
const [FEW, MOST] = [100, 1000]

export function searchFiles(folder: Folder) {
  return defineTool({
    name: NAME,
    title: 'Search files',
    description:
      'Find files by name, by text in them, or both. name is a glob: "*.ts" in any directory, "src/**/*.{ts,md}" from the directory searched. text is found as it is, pattern is a regular expression; each is looked for line by line. What .gitignore names is left out unless told, and links are not followed. Results come in pages.',
    input: INPUT,
    output: OUTPUT,
    annotations: READS,
    scopes: ['files:read'],
    run: (
      { path = '.', name, text, pattern, ignoreCase = false, ignored = false, limit = FEW, cursor },
      call,
    ) =>
      folder.at(path, async (root) => {
        const lines = lineSearch({ text, pattern, ignoreCase })
        if (name === undefined && lines === undefined)
          throw new Error('expected a name, a text or a pattern to look for, got none of them')
        const start = await folder.use({ path, does: 'read', call }, () => locate(root, path))
        if (!start.stats.isDirectory()) throw failure('NOT_DIRECTORY')
        const fits = name === undefined ? undefined : compileGlob(fromHere(name, start.path))
        const search = new Search({ start, fits, lines, limit, ignoring: !ignored, from: placeOf(cursor) })
        const { matches, searched, next, effort } = await inWalks(folder, call, () => search.page(call))
        const found = {
          matches: matches.map((match) => ({ ...match, path: posix.join(path, match.path) })),
          searched,
          ...(next && { nextCursor: printPlace(NAME, [next.path, next.line]) }),
        }
        return report(found, effort)
      }),
  })
}

const OUTPUT = {
  type: 'object',
  properties: {
    matches: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          path: {
            type: 'string',
            description: 'As read_file takes it: it begins with the directory searched.',
          },
          line: { type: 'integer', description: 'Its number, from 1.' },
          text: { type: 'string', description: 'The line, or 300 characters of a longer one.' },
        },
        required: ['path'],
        additionalProperties: false,
      },
    },
    searched: { type: 'integer', description: 'How many files were looked at for this page.' },
    nextCursor: MORE,
  },
  required: ['matches', 'searched'],
  additionalProperties: false,
} as const

/** Models know a file by its whole path, and write a pattern that begins with it. */
function fromHere(name: string, folder: string): string {
  return name.startsWith(`${folder}/`) ? `.${name.slice(folder.length)}` : name
}

function placeOf(cursor: string | undefined): SearchPlace | undefined {
  if (cursor === undefined) return undefined
  const [path, line] = parsePlace(NAME, cursor)
  return { path: String(path), line: Number(line) }
}

interface SearchReport {
  readonly matches: readonly Match[]
  readonly searched: number
  readonly nextCursor?: string
}

/** For people as grep has it: path, line and text on one line. */
function report(structuredContent: SearchReport, effort: Effort) {
  const { matches, searched, nextCursor } = structuredContent
  const lines = matches.map(({ path, line, text }) =>
    line === undefined ? printName(path) : `${printName(path)}:${line}: ${text}`,
  )
  if (matches.length === 0)
    lines.push(`Nothing was found in ${searched} ${searched === 1 ? 'file' : 'files'}`)
  lines.push(...unreadRules(effort))
  if (nextCursor !== undefined) lines.push(`There may be more: go on with the cursor ${nextCursor}`)
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent } as const
}

const INPUT = {
  type: 'object',
  properties: {
    path: FOLDER,
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description: 'A glob that the path must fit.',
    },
    text: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description: `Words to find, as they are, in the first ${LONGEST_LINE.text} characters of a line.`,
    },
    pattern: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description: `A regular expression to find instead, with regard to case, in the first ${LONGEST_LINE.pattern} characters of a line.`,
    },
    ignoreCase: { type: 'boolean', description: 'Whether text is found in any case; not unless said.' },
    ignored: IGNORED,
    limit: limitOf(FEW, MOST),
    cursor: CURSOR,
  },
  additionalProperties: false,
} as const
