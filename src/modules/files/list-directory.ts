import type { Dirent } from 'node:fs'
import { join } from 'node:path'
import { openDirectory } from '../../confined/confine.ts'
import { failure, printName } from '../../confined/explain.ts'
import { type Found, locate } from '../../confined/locate.ts'
import { readEntries } from '../../confined/read-entries.ts'
import type { AuthorCall as Call } from '../../kernel/index.ts'
import { parsePlace, printPlace } from './cursor.ts'
import type { Folder } from './folder.ts'
import { inOrder } from './in-order.ts'
import { CURSOR, READS } from './schemas.ts'
import { checkWanted, inWalks } from './walks.ts'

const NAME = 'list_directory'
const MOST = 10_000

export interface DirectoryToList {
  readonly path: string
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export function listDirectory(folder: Folder) {
  const { page = Number.POSITIVE_INFINITY } = folder
  return {
    name: NAME,
    title: 'List directory',
    description: 'List a directory, one entry a line: "F name" is a file, "D name" a directory.',
    input: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: 'The directory, relative to the root directory; "." is the root.',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MOST,
          description: `How many entries make a page; ${folder.page ?? 'all of them'} unless said.`,
        },
        cursor: CURSOR,
      },
      required: ['path'],
      additionalProperties: false,
    },
    annotations: READS,
    scopes: ['files:read'],
    run: ({ path, limit = page, cursor }: DirectoryToList, call?: Call) =>
      folder.use({ path, does: 'read', call }, (root) =>
        inWalks(folder, call, () => list(root, path, { limit, cursor, wanted: () => checkWanted(call) })),
      ),
  } as const
}

interface WantedPage {
  readonly limit: number
  readonly cursor: string | undefined
  readonly wanted: () => void
}

/** Where there is more, a second piece of text says how to get it, so that the first has entries alone. */
async function list(root: string, path: string, { limit, cursor, wanted }: WantedPage) {
  const from = cursor === undefined ? undefined : String(parsePlace(NAME, cursor)[0])
  const found = await locate(root, path)
  const lines: string[] = []
  for await (const entry of inOrder(await entriesOf(found), from)) {
    wanted()
    if (lines.length === limit) return more(lines.join('\n'), printPlace(NAME, [entry.name]))
    lines.push(`${await kindOf(entry, found)} ${printName(entry.name)}`)
  }
  return lines.join('\n')
}

function more(text: string, cursor: string) {
  const rest = `There is more: go on with the cursor ${cursor}`
  return { content: [text, rest].map((one) => ({ type: 'text', text: one }) as const) }
}

async function entriesOf(found: Found): Promise<Dirent[]> {
  if (!found.stats.isDirectory()) throw failure('NOT_DIRECTORY')
  const directory = await openDirectory(found)
  try {
    return await readEntries(directory)
  } finally {
    await directory.close()
  }
}

async function kindOf(entry: Dirent, parent: Found): Promise<'D' | 'F'> {
  if (entry.isDirectory()) return 'D'
  if (!entry.isSymbolicLink()) return 'F'
  return (await leadsToDirectory(parent.root, join(parent.path, entry.name))) ? 'D' : 'F'
}

async function leadsToDirectory(root: string, link: string): Promise<boolean> {
  try {
    const directory = await openDirectory(await locate(root, link))
    await directory.close()
    return true
  } catch {
    // Whatever keeps us from opening it must look the same from outside.
    return false
  }
}
