import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { defineTool } from '../../authoring/define.ts'
import { openFile } from '../../confined/confine.ts'
import { failure, printPath } from '../../confined/explain.ts'
import { locate } from '../../confined/locate.ts'
import type { Folder } from './folder.ts'
import { checkFree, FROM_TO } from './from-to.ts'
import { locateTarget, putFile } from './put-file.ts'
import { ADDS } from './schemas.ts'
import { checkWanted } from './walks.ts'

export function copyFile(folder: Folder) {
  return defineTool({
    name: 'copy_file',
    title: 'Copy file',
    description:
      'Copy a file of any size and kind. The directory it goes to must exist, and a file that is there already stays, unless overwrite says otherwise.',
    input: FROM_TO,
    annotations: { ...ADDS, destructiveHint: true },
    scopes: ['files:write'],
    run: ({ from, to, overwrite = false }, call) =>
      folder.useBoth({ path: from, does: 'read', call }, { path: to, does: 'write' }, async () => {
        const source = await folder.at(from, async (root) => openFile(await locate(root, from)))
        try {
          const moved = await source.stat()
          await folder.at(to, async (root) => {
            const place = await locateTarget(root, to)
            const { leftovers } = folder
            const admit = (old: typeof moved | undefined) => {
              if (old?.ino === moved.ino && old.dev === moved.dev) throw failure('SAME')
              checkFree(old, { overwrite, moved })
            }
            const fill = (file: FileHandle) => pour(source, file, () => checkWanted(call))
            await putFile({ place, leftovers, call, admit, fill })
          })
          return `Copied ${moved.size} ${moved.size === 1 ? 'byte' : 'bytes'} from ${printPath(from)} to ${printPath(to)}`
        } finally {
          await source.close()
        }
      }),
  })
}

const CHUNK_BYTES = 256 * 1024

async function pour(source: FileHandle, target: FileHandle, wanted: () => void): Promise<void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  for (;;) {
    wanted()
    const { bytesRead } = await source.read(chunk, 0, CHUNK_BYTES)
    if (bytesRead === 0) break
    await target.writeFile(chunk.subarray(0, bytesRead))
  }
  const { mode } = await source.stat()
  // Whoever may run the one may run the other; rights beyond that are not copied.
  if ((mode & constants.S_IXUSR) !== 0) await target.chmod(0o755)
}
