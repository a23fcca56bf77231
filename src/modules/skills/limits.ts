import { printPath } from '../../confined/explain.ts'
import type { File } from './walk.ts'

export const MOST_FILES = 512
export const MOST_BYTES = 16 * 1024 * 1024

/** Says what is too much about a skill; clients may refuse what is beyond these limits. */
export function findExcess(path: string, files: readonly File[]): string | undefined {
  const bytes = files.reduce((sum, { found }) => sum + found.stats.size, 0)
  if (files.length > MOST_FILES)
    return `${printPath(path)} has ${files.length} files, more than ${MOST_FILES}`
  if (bytes > MOST_BYTES) return `${printPath(path)} has ${bytes} bytes, more than ${MOST_BYTES}`
  return undefined
}
