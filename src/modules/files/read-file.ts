import { openFile } from '../../confined/confine.ts'
import { locate } from '../../confined/locate.ts'
import type { AudioBlock, AuthorCall as Call, ImageBlock } from '../../kernel/index.ts'
import { whenRoom } from '../../process/gate.ts'
import { LARGE, ownTurn } from '../../process/own-turn.ts'
import { contentOf } from './file-content.ts'
import type { Folder } from './folder.ts'
import { checkPart, type FilePart, isWhole, MAX_BYTES, readPart, type WantedPart } from './read-text.ts'
import { READS } from './schemas.ts'
import { checkWanted } from './walks.ts'

export interface FileToRead extends FilePart {
  readonly path: string
}

export function readFile(folder: Folder) {
  return {
    name: 'read_file',
    title: 'Read file',
    description:
      'Read a UTF-8 text file of at most 1 MiB, or some lines or bytes of a larger one. A picture or a sound is given as such.',
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to the root directory.' },
        startLine: {
          type: 'integer',
          description: 'The first line to read, from 1; -20 for the last 20 lines.',
        },
        endLine: {
          type: 'integer',
          minimum: 1,
          description: 'The last line to read; to the end unless said.',
        },
        offset: {
          type: 'integer',
          minimum: 0,
          description: 'The first byte to read, from 0, instead of lines.',
        },
        length: { type: 'integer', minimum: 1, maximum: MAX_BYTES, description: 'How many bytes to read.' },
      },
      required: ['path'],
      additionalProperties: false,
    },
    annotations: READS,
    scopes: ['files:read'],
    run: (wanted: FileToRead, call?: Call) => {
      checkPart(wanted)
      const now = isWhole(wanted) ? readNow(folder, wanted.path) : undefined
      return now === undefined ? readContent(folder, wanted, call).then(toResult) : toResult(now)
    },
  } as const
}

type FileContent = string | ImageBlock | AudioBlock

function toResult(content: FileContent) {
  return typeof content === 'string' ? content : { content: [content] }
}

/** Without a promise, so that the answers to calls that came together leave together; undefined where it takes longer. */
function readNow(folder: Folder, path: string): FileContent | undefined {
  try {
    return folder.now(path, (bytes) => contentOf(path, bytes))
  } catch {
    return undefined // Why is said by whoever takes longer.
  }
}

/** Reads a file when its turn has come. */
export function readContent(
  folder: Folder,
  { path, ...part }: FileToRead,
  call: Call | undefined,
): Promise<FileContent> {
  const wanted = { path, ...part, checkWanted: () => checkWanted(call) }
  const read = async (root: string) => {
    const bytes = await readFrom(folder, root, wanted)
    if (bytes.length > LARGE) await ownTurn()
    return contentOf(path, bytes)
  }
  return folder.use({ path, does: 'read', call }, (root) => readInRoom(folder, call, () => read(root)))
}

/** Reads when there is room: so many files may be read at once. */
export function readInRoom<T>({ gate }: Folder, call: Call | undefined, read: () => Promise<T>): Promise<T> {
  return whenRoom(gate, { call, budget: 'maxReadingBytes', each: MAX_BYTES }, read)
}

async function readFrom(
  folder: Folder,
  root: string,
  { path, ...part }: FileToRead & WantedPart,
): Promise<Buffer> {
  await folder.small.learn(root)
  const small = isWhole(part) ? folder.small.read(root, path, (bytes) => Buffer.from(bytes)) : undefined
  if (small !== undefined) return small
  const file = await openFile(await locate(root, path))
  try {
    return await readPart(file, path, part)
  } finally {
    await file.close()
  }
}
