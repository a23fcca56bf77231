import { isAbsolute } from 'node:path'
import { isInside } from '../../confined/locate.ts'
import type { Folder } from './folder.ts'

/** Importing it would have every start wait for it. Throws where a URI is that of no file. */
export function fileURLToPath(uri: string): string {
  return process.getBuiltinModule('node:url').fileURLToPath(uri)
}

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
