import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInside } from '../../confined/locate.ts'
import type { Folder } from './folder.ts'

/** The path that a file URI means: an absolute one inside a root, or else one that begins in the first root. */
export function pathOfUri(uri: string, { roots }: Folder): string | undefined {
  try {
    const path = fileURLToPath(uri)
    if (roots.some((root) => isInside(root, path))) return path
    return isAbsolute(path) ? path.replace(/^[\\/]+/, '') || '.' : path
  } catch {
    return undefined // A host, or an encoded slash: no file of ours.
  }
}
