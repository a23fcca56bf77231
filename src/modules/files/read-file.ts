import { openFile } from '../../confined/confine.ts'
import { failure, printPath } from '../../confined/explain.ts'
import { locate } from '../../confined/locate.ts'
import { readAtMost } from '../../confined/read-at-most.ts'
import type { AuthorCall as Call } from '../../kernel/index.ts'
import type { Folder } from './folder.ts'
import { Gate } from './gate.ts'

export function readFile(folder: Folder) {
  const gate = new Gate()
  /** Where nobody calls, nothing is bounded. */
  const read = (path: string, call: Call | undefined) => {
    if (call === undefined) return readText(folder.root, path)
    const { budgets, usage } = call.server
    const work = () => {
      usage.saw('maxReadingBytes', gate.inside * MAX_BYTES)
      return readText(folder.root, path)
    }
    return gate.pass(Math.max(1, Math.floor(budgets.maxReadingBytes / MAX_BYTES)), work, call.signal)
  }
  return {
    name: 'read_file',
    title: 'Read file',
    description: 'Read a UTF-8 text file of at most 1 MiB.',
    input: {
      type: 'object',
      properties: { path: { type: 'string', description: 'The file, relative to the root directory.' } },
      required: ['path'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    scopes: ['files:read'],
    run: ({ path }: { readonly path: string }, call?: Call) =>
      folder.use(path, 'read', () => read(path, call)),
  } as const
}

const MAX_BYTES = 1024 * 1024

async function readText(root: string, path: string): Promise<string> {
  const file = await openFile(await locate(root, path))
  try {
    const { size } = await file.stat()
    if (size > MAX_BYTES) throw tooLarge(path, `${size}`)
    const bytes = await readAtMost(file, MAX_BYTES + 1)
    if (bytes.length > MAX_BYTES) throw tooLarge(path, `at least ${bytes.length}`)
    return parseText(bytes)
  } finally {
    await file.close()
  }
}

function tooLarge(path: string, size: string): Error {
  return new Error(`${printPath(path)} is too large: ${size} bytes, and the limit is ${MAX_BYTES} bytes`)
}

function parseText(bytes: Buffer): string {
  try {
    // A byte order mark is kept, so that what is read can be written back unchanged.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw failure('NOT_TEXT')
  }
}
