import { constants, type Stats } from 'node:fs'
import { access, lstat, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { checkRegular, openDirectory } from '../../confined/confine.ts'
import { codeOf, failure, printPath } from '../../confined/explain.ts'
import { endsAsDirectory, locate, type Place } from '../../confined/locate.ts'
import type { AuthorCall as Call } from '../../kernel/index.ts'
import type { Folder } from './folder.ts'
import { Leftovers, temporaryName } from './leftovers.ts'

export function writeFile(folder: Folder) {
  const leftovers = new Leftovers()
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
    run: ({ path, content }: FileToWrite, call?: Pick<Call, 'aborted'>) =>
      folder.use(path, 'write', () => write(folder.root, { path, content, call, leftovers })),
  } as const
}

export interface FileToWrite {
  readonly path: string
  readonly content: string
}

interface Writing extends FileToWrite {
  readonly leftovers: Leftovers
  readonly call?: Pick<Call, 'aborted'> | undefined
}

async function write(root: string, writing: Writing): Promise<string> {
  const { path, content, leftovers } = writing
  const target = await locateTarget(root, path)
  const place = { root: target.root, path: dirname(target.path) }
  const directory = await openDirectory(place)
  try {
    await leftovers.sweep(place.path, directory.path)
    await replace(directory.path, basename(target.path), writing)
  } finally {
    await directory.close()
  }
  const bytes = Buffer.byteLength(content)
  return `Wrote ${bytes} ${bytes === 1 ? 'byte' : 'bytes'} to ${printPath(path)}`
}

async function locateTarget(root: string, path: string): Promise<Place> {
  try {
    const found = await locate(root, path)
    checkRegular(found.stats)
    return found
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return locateNew(root, path)
  }
}

async function locateNew(root: string, path: string): Promise<Place> {
  if (endsAsDirectory(path)) throw failure('EISDIR')
  try {
    const parent = await locate(root, dirname(path))
    return { root: parent.root, path: join(parent.path, basename(path)) }
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? failure('NO_PARENT') : error
  }
}

async function replace(directory: string, name: string, { content, call }: Writing): Promise<void> {
  const target = join(directory, name)
  const old = await findOld(target)
  const temporary = join(directory, temporaryName())
  await writeNew(temporary, content, old)
  await removingOnFailure(temporary, async () => {
    // Up to here nothing has changed, and nobody wants it to any more.
    if (call?.aborted === true) throw new Error('The call was cancelled')
    await rename(temporary, target)
  })
}

async function findOld(target: string): Promise<Stats | undefined> {
  try {
    const old = await lstat(target)
    // A link that leads somewhere was followed long before, by locate.
    if (old.isSymbolicLink()) throw failure('DANGLING')
    checkRegular(old)
    // Renaming would replace a write-protected file without asking.
    await access(target, constants.W_OK)
    return old
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function writeNew(path: string, content: string, old: Stats | undefined): Promise<void> {
  const file = await open(path, NEW, old ? 0o600 : 0o666)
  await removingOnFailure(path, async () => {
    try {
      await file.writeFile(content)
      if (old) await file.chmod(old.mode & 0o777)
      // Without this, a power cut after the rename could leave an empty file in the old one's place.
      await file.sync()
    } finally {
      await file.close()
    }
  })
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

async function removingOnFailure(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    // The first failure is the one to report, whether or not the temporary file could be removed.
    await unlink(path).catch(() => undefined)
    throw error
  }
}
