import { constants, type Stats } from 'node:fs'
import { access, type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { checkRegular, openDirectory } from '../../confined/confine.ts'
import { codeOf, failure } from '../../confined/explain.ts'
import { endsAsDirectory, findMisspelling, locate, type Place } from '../../confined/locate.ts'
import type { AuthorCall as Call } from '../../kernel/index.ts'
import type { Leftovers } from './leftovers.ts'
import { temporaryName } from './leftovers.ts'

/** A file that is to be in a place, whole. */
export interface FileToPut {
  readonly place: Place
  readonly leftovers: Leftovers
  readonly call?: Pick<Call, 'aborted'> | undefined
  /** Writes what is to be in it. */
  fill(file: FileHandle): Promise<unknown>
  /** Throws where what is in the place already must stay; asked before anything is written, and once more at the end. */
  admit?(old: Stats | undefined): void
}

/** Puts a file into its place in one step: whoever looks finds the old one or the new one, and so does whoever comes after a crash. */
export async function putFile({ place, leftovers, ...putting }: FileToPut): Promise<void> {
  const above = { root: place.root, path: dirname(place.path) }
  const directory = await openDirectory(above)
  try {
    await leftovers.sweep(above.path, directory.path)
    await putIn(directory.path, basename(place.path), putting)
  } finally {
    await directory.close()
  }
}

/** Where a file is, or would be, that may be there or not. */
export async function locateTarget(root: string, path: string): Promise<Place> {
  checkName(path)
  try {
    const found = await locate(root, path)
    checkRegular(found.stats)
    return found
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    if (endsAsDirectory(path)) throw failure('EISDIR')
    return locateEntry(root, path)
  }
}

/** A name in a directory, whatever it is the name of: a link is not followed. */
export async function locateEntry(root: string, path: string): Promise<Place> {
  checkName(path)
  try {
    const parent = await locate(root, dirname(path))
    if (!parent.stats.isDirectory()) throw failure('ENOTDIR')
    return { root: parent.root, path: join(parent.path, basename(path)) }
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? failure('NO_PARENT') : error
  }
}

/** The file system would quietly make another name of half a character, and Node speaks of itself where there is a NUL. */
export function checkName(path: string): void {
  const misspelling = path.isWellFormed() ? findMisspelling(path) : 'HALF'
  if (misspelling !== undefined) throw failure(misspelling)
}

type Putting = Omit<FileToPut, 'place' | 'leftovers'>

async function putIn(directory: string, name: string, { call, fill, admit }: Putting): Promise<void> {
  const target = join(directory, name)
  const old = await findOld(target)
  admit?.(old)
  const temporary = join(directory, temporaryName())
  await writeNew(temporary, fill, old)
  await removingOnFailure(temporary, async () => {
    // Up to here nothing has changed, and nobody wants it to any more.
    if (call?.aborted === true) throw new Error('The call was cancelled')
    if (admit !== undefined) admit(await findOld(target))
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

async function writeNew(path: string, fill: FileToPut['fill'], old: Stats | undefined): Promise<void> {
  const file = await open(path, NEW, old ? 0o600 : 0o666)
  await removingOnFailure(path, async () => {
    try {
      await fill(file)
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
