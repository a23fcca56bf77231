import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { codeOf, failure } from './explain.ts'
import { type Found, isInside, type Place } from './locate.ts'

/** A directory held open: whatever is done through `path` happens in it, even if its name is given to another. */
export interface Directory {
  readonly path: string
  close(): Promise<void>
}

/** Opens a directory and makes sure that what was opened lies inside the root. */
export async function openDirectory(place: Place): Promise<Directory> {
  const handle = await open(place.path, DIRECTORY)
  return closingOnFailure(handle, async () => {
    const path = await checkInside(handle, place)
    return { path, close: () => handle.close() }
  })
}

/** Opens a regular file for reading, by way of its checked directory, so that nothing outside is even opened. */
export async function openFile(found: Found): Promise<FileHandle> {
  // Opening and closing a FIFO is felt by its writer, so it is refused before.
  checkRegular(found.stats)
  const directory = await openDirectory({ root: found.root, path: dirname(found.path) })
  try {
    return await openIn(directory, found)
  } finally {
    await directory.close()
  }
}

/** The same, where its directory is open already and has said that it is a regular file. */
export async function openIn(directory: Directory, place: Place): Promise<FileHandle> {
  const handle = await open(join(directory.path, basename(place.path)), FILE)
  return closingOnFailure(handle, async () => {
    checkRegular(await handle.stat())
    await checkInside(handle, place)
    return handle
  })
}

/** What a place is, by way of a checked directory: what was swapped in for it since it was located is not told of. */
export async function statInside(found: Found): Promise<Stats> {
  const isDirectory = found.stats.isDirectory()
  const directory = await openDirectory({
    root: found.root,
    path: isDirectory ? found.path : dirname(found.path),
  })
  try {
    if (isDirectory) return await stat(directory.path)
    const stats = await lstat(join(directory.path, basename(found.path)))
    if (stats.isSymbolicLink()) throw failure('OUTSIDE')
    return stats
  } finally {
    await directory.close()
  }
}

export function checkRegular(stats: Stats): void {
  if (stats.isDirectory()) throw failure('EISDIR')
  if (!stats.isFile()) throw failure('NOT_REGULAR')
}

/** Refuses a handle that is not inside the root; answers the path by which to use it. */
export async function checkInside(handle: FileHandle, place: Place): Promise<string> {
  const descriptor = `/proc/self/fd/${handle.fd}`
  const actual = await readDescriptor(descriptor)
  if (actual === undefined) return recheckPath(handle, place)
  if (!isInside(place.root, actual)) throw failure('OUTSIDE')
  const deleted = actual.endsWith(DELETED) && !place.path.endsWith(DELETED)
  // A deleted file is an old version that a writer has just replaced, and still whole.
  if (deleted && (await handle.stat()).isDirectory()) throw failure('ENOENT')
  return descriptor
}

/** Without /proc, all we can do is look again: a swap between this look and the use stays possible. */
export async function recheckPath(handle: FileHandle, place: Place): Promise<string> {
  const actual = await realpath(place.path)
  if (!isInside(place.root, actual)) throw failure('OUTSIDE')
  const [held, named] = await Promise.all([handle.stat(), stat(actual)])
  if (held.dev !== named.dev || held.ino !== named.ino) throw failure('OUTSIDE')
  return place.path
}

const DELETED = ' (deleted)'

// Linux's O_PATH, which Node does not name, asks for no right to list a directory that is only passed through.
export const O_PATH = platform() === 'linux' ? 0o10000000 : 0
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | O_PATH
const FILE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

async function readDescriptor(descriptor: string): Promise<string | undefined> {
  try {
    return await readlink(descriptor)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function closingOnFailure<T>(handle: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await handle.close()
    throw error
  }
}
