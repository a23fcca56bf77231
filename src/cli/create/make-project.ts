import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../usage-error.ts'
import type { ProjectFile } from './template.ts'

/** Throws unless nothing would be overwritten there. */
export function checkFree(folder: string): void {
  const found = attempt(folder, () => statSync(folder, { throwIfNoEntry: false }))
  if (found === undefined) return
  if (!found.isDirectory())
    throw new UsageError(`${folder} is there already, and is no folder. Choose another name`)
  const inside = attempt(folder, () => readdirSync(folder)).filter((name) => name !== '.git')
  if (inside.length === 0) return
  const some = inside.slice(0, 3).join(', ')
  throw new UsageError(
    `${folder} is there already, with ${some}${inside.length > 3 ? ' …' : ''} in it, and nothing is overwritten. Choose another name, or an empty folder`,
  )
}

/** Writes files where none are; of a project that cannot be made whole nothing stays. */
export function makeProject(folder: string, files: readonly ProjectFile[]): void {
  checkFree(folder)
  const made: (() => void)[] = []
  try {
    for (const { path, text } of files) {
      const file = join(folder, path)
      makeFolder(dirname(file), made)
      writeFileSync(file, text, { flag: 'wx' })
      made.unshift(() => rmSync(file))
    }
  } catch (error) {
    for (const undo of made) undoIfPossible(undo)
    throw explain(folder, error)
  }
}

function makeFolder(folder: string, made: (() => void)[]): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found !== undefined) throw Object.assign(new Error(`${folder} is a file`), { code: 'ENOTDIR' })
  makeFolder(dirname(folder), made)
  mkdirSync(folder)
  made.unshift(() => rmdirSync(folder))
}

function undoIfPossible(undo: () => void): void {
  try {
    undo()
  } catch {
    // Somebody else has put something there meanwhile, which is theirs.
  }
}

function attempt<Result>(folder: string, look: () => Result): Result {
  try {
    return look()
  } catch (error) {
    throw explain(folder, error)
  }
}

const REASONS: { readonly [code: string]: string } = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'nothing can be written there',
  ENOSPC: 'there is no room left',
  EDQUOT: 'there is no room left',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'something of that name is there already',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its path leads in circles',
}

function explain(folder: string, error: unknown): Error {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new UsageError(`${folder} cannot be made: ${REASONS[code] ?? message}`)
}
