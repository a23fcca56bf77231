import type { Stats } from 'node:fs'
import { defineTool } from '../../authoring/define.ts'
import { openFile } from '../../confined/confine.ts'
import { failure, printPath } from '../../confined/explain.ts'
import { type Found, locate } from '../../confined/locate.ts'
import { whenRoom } from '../../process/gate.ts'
import { type Edit, editText, MOST_LETTERS } from './edit-text.ts'
import { checkWhole, parseText } from './file-content.ts'
import type { Folder } from './folder.ts'
import { putFile } from './put-file.ts'
import { MAX_BYTES, readPart } from './read-text.ts'
import { CHANGES, FILE } from './schemas.ts'
import { unifiedDiff } from './unified-diff.ts'
import { checkWanted } from './walks.ts'

/** A letter takes two bytes in a text with any beyond Latin-1, and three on its way to the disk. */
const [WIDE, WRITTEN] = [2, 3]

/** The text before, the one after, and its bytes, or what the next edit has made of it so far. */
const EDIT_BYTES = WIDE * MAX_BYTES + (WIDE + WRITTEN) * MOST_LETTERS

const EDIT = {
  type: 'object',
  properties: {
    oldText: { type: 'string', minLength: 1, description: 'What to replace, exactly as it stands.' },
    newText: { type: 'string', description: 'What to put in its place.' },
    all: { type: 'boolean', description: 'Replaces it wherever it stands; unless said, it must stand once.' },
  },
  required: ['oldText', 'newText'],
  additionalProperties: false,
} as const

export function editFile(folder: Folder) {
  return defineTool({
    name: 'edit_file',
    title: 'Edit file',
    description:
      'Replace exact pieces of a text file of at most 1 MiB, one edit after the other: all of them, or none if one does not fit. Gives the changes as a unified diff; with dryRun nothing is written.',
    input: INPUT,
    output: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        replaced: { type: 'integer', description: 'How many pieces.' },
        written: { type: 'boolean' },
        diff: { type: 'string', description: 'A unified diff; empty where nothing changes.' },
      },
      required: ['path', 'replaced', 'written', 'diff'],
      additionalProperties: false,
    },
    annotations: CHANGES,
    scopes: ['files:write'],
    run: ({ path, edits, dryRun = false }, call) =>
      folder.use({ path, does: dryRun ? 'read' : 'write', call }, (root) =>
        whenRoom(folder.edits, { call, budget: 'maxEditingBytes', each: EDIT_BYTES }, async () => {
          const place = await locate(root, path)
          const { text, stats } = await readWhole(place, path)
          const wanted = () => checkWanted(call)
          const { text: next, replaced } = await editText(text, edits as readonly Edit[], wanted) // As the schema says.
          const written = !dryRun && next !== text
          const { leftovers } = folder
          const admit = (old: Stats | undefined) => checkSame(path, stats, old)
          checkWhole('edits', next)
          if (written) await putFile({ place, leftovers, call, admit, fill: (file) => file.writeFile(next) })
          const diff = await unifiedDiff(printPath(path), text, next)
          const said = diff === '' ? 'Nothing changes' : diff
          return {
            content: [{ type: 'text', text: dryRun ? `Nothing is written.\n${said}` : said }],
            structuredContent: { path, replaced, written, diff },
          }
        }),
      ),
  })
}

async function readWhole(found: Found, path: string): Promise<{ text: string; stats: Stats }> {
  const file = await openFile(found)
  try {
    const stats = await file.stat()
    if (stats.size > MAX_BYTES)
      throw new Error(
        `${printPath(path)} is too large to be edited: ${stats.size} bytes, and the limit is ${MAX_BYTES} bytes`,
      )
    const text = parseText(await readPart(file, path, {}))
    if (text === undefined) throw failure('NOT_TEXT')
    return { text, stats }
  } finally {
    await file.close()
  }
}

/** Somebody else may have written it since it was read. */
function checkSame(path: string, read: Stats, old: Stats | undefined): void {
  const isSame = old?.ino === read.ino && old.mtimeMs === read.mtimeMs && old.size === read.size
  if (!isSame)
    throw new Error(`${printPath(path)} has been changed by somebody else meanwhile: read it again`)
}

const INPUT = {
  type: 'object',
  properties: {
    path: FILE,
    edits: { type: 'array', items: EDIT, minItems: 1, maxItems: 100, description: 'What to replace.' },
    dryRun: { type: 'boolean', description: 'Only shows what would change.' },
  },
  required: ['path', 'edits'],
  additionalProperties: false,
} as const
