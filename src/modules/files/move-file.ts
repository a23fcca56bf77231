import type { Stats } from 'node:fs'
import { lstat, rename } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { defineTool } from '../../authoring/define.ts'
import { type Directory, openDirectory } from '../../confined/confine.ts'
import { codeOf, failure, printPath } from '../../confined/explain.ts'
import { endsAsDirectory, type Place } from '../../confined/locate.ts'
import type { Folder } from './folder.ts'
import { checkFree, FROM_TO } from './from-to.ts'
import { locateEntry } from './put-file.ts'
import { CHANGES } from './schemas.ts'
import { checkWanted } from './walks.ts'

export function moveFile(folder: Folder) {
  return defineTool({
    name: 'move_file',
    title: 'Move file',
    description:
      'Move or rename a file or a directory, in one step. The directory it goes to must exist. What is there already stays, unless overwrite says otherwise, and a directory is never overwritten.',
    input: FROM_TO,
    annotations: CHANGES,
    scopes: ['files:write'],
    run: ({ from, to, overwrite = false }, call) =>
      folder.useBoth({ path: from, does: 'write', call }, { path: to, does: 'write' }, async () => {
        const source = await folder.at(from, (root) => locateNamed(root, from))
        const target = await folder.at(to, (root) => locateNamed(root, to))
        await moveEntry({ folder, from, to, overwrite, wanted: () => checkWanted(call) }, source, target)
        return `Moved ${printPath(from)} to ${printPath(to)}`
      }),
  })
}

/** A root is not to be moved, nor to be put anything in the place of. */
async function locateNamed(root: string, path: string): Promise<Place> {
  if (resolve(root, path) === root) throw failure('ROOT')
  const place = await locateEntry(root, path.replace(sep === '/' ? /\/+$/ : /[\\/]+$/, ''))
  if (place.path === place.root || basename(place.path) === '.') throw failure('ROOT')
  return place
}

interface Moving {
  readonly folder: Folder
  readonly from: string
  readonly to: string
  readonly overwrite: boolean
  readonly wanted: () => void
}

async function moveEntry({ folder, from, to, overwrite, wanted }: Moving, source: Place, target: Place) {
  const here = await folder.at(from, () => openAbove(source))
  try {
    const there = await folder.at(to, () => openAbove(target))
    try {
      const [old, next] = [inside(here, source), inside(there, target)]
      const moved = await folder.at(from, () => lstat(old))
      for (const path of [from, to])
        if (endsAsDirectory(path) && !moved.isDirectory())
          await folder.at(path, () => Promise.reject(failure(path === from ? 'NOT_DIRECTORY' : 'EISDIR')))
      await folder.at(to, async () => {
        checkFree(await findEntry(next), { overwrite, moved })
        wanted()
        await renameEntry(old, next)
      })
    } finally {
      await there.close()
    }
  } finally {
    await here.close()
  }
}

async function renameEntry(old: string, next: string): Promise<void> {
  try {
    await rename(old, next)
  } catch (error) {
    throw codeOf(error) === 'EINVAL' ? failure('INTO_ITSELF') : error
  }
}

function openAbove({ root, path }: Place): Promise<Directory> {
  return openDirectory({ root, path: dirname(path) })
}

function inside(directory: Directory, { path }: Place): string {
  return join(directory.path, basename(path))
}

async function findEntry(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
