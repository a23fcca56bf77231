import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { defineTool } from '../../authoring/define.ts'
import { openDirectory } from '../../confined/confine.ts'
import { codeOf, failure, printPath } from '../../confined/explain.ts'
import { locate } from '../../confined/locate.ts'
import type { Folder } from './folder.ts'
import { checkName } from './put-file.ts'
import { ADDS } from './schemas.ts'
import { DEEPEST } from './walk.ts'

export function createDirectory(folder: Folder) {
  return defineTool({
    name: 'create_directory',
    title: 'Create directory',
    description: 'Create a directory, and those above it that are missing. One that is there already stays.',
    input: {
      type: 'object',
      properties: { path: { type: 'string', description: 'The directory, relative to the root directory.' } },
      required: ['path'],
      additionalProperties: false,
    },
    annotations: ADDS,
    scopes: ['files:write'],
    run: ({ path }, call) =>
      folder.use({ path, does: 'write', call }, async (root) => {
        checkName(path)
        const made = await make(root, path, DEEPEST)
        return made ? `Created ${printPath(path)}` : `${printPath(path)} is there already`
      }),
  })
}

/** Tells whether there was anything to make. */
async function make(root: string, path: string, depth: number): Promise<boolean> {
  if (await isThere(root, path)) return false
  if (depth === 0) throw failure('ENAMETOOLONG')
  const above = dirname(path)
  if (above === path) throw failure('NO_PARENT') // The root itself is gone.
  await make(root, above, depth - 1)
  const parent = await locate(root, above)
  const directory = await openDirectory(parent)
  try {
    await mkdir(join(directory.path, basename(path)))
    return true
  } catch (error) {
    // Somebody may have made it a moment ago; a link that leads nowhere is in the way, too.
    if (codeOf(error) !== 'EEXIST') throw error
    return !(await isThere(root, path))
  } finally {
    await directory.close()
  }
}

async function isThere(root: string, path: string): Promise<boolean> {
  try {
    const { stats } = await locate(root, path)
    if (!stats.isDirectory()) throw failure('NOT_DIRECTORY')
    return true
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return false
  }
}
