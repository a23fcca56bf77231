import type { Stats } from 'node:fs'
import { failure } from '../../confined/explain.ts'

/** The arguments of what takes a file somewhere. */
export const FROM_TO = {
  type: 'object',
  properties: {
    from: { type: 'string', description: 'Where it is, relative to the root directory.' },
    to: { type: 'string', description: 'Where it is to be, its own name included.' },
    overwrite: {
      type: 'boolean',
      description: 'Whether a file that is there already goes; not unless said.',
    },
  },
  required: ['from', 'to'],
  additionalProperties: false,
} as const

interface Taking {
  readonly overwrite: boolean
  /** What is taken there. */
  readonly moved: Stats
}

/** A name in another case can be the same file under its old name; another name of it would stay where it is. */
export function checkFree(old: Stats | undefined, { overwrite, moved }: Taking): void {
  if (old === undefined) return
  if (old.ino === moved.ino && old.dev === moved.dev) {
    if (old.nlink > 1 && !old.isDirectory()) throw failure('SAME')
    return
  }
  if (!overwrite) throw failure('TAKEN')
  if (old.isDirectory() || moved.isDirectory()) throw failure('DIRECTORY_STAYS')
}
