import type { Stats } from 'node:fs'
import { lstat, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, parse, relative, resolve, sep } from 'node:path'
import { failure } from './explain.ts'

/** A real path, free of links, inside a real root. */
export interface Place {
  readonly root: string
  readonly path: string
}

export interface Found extends Place {
  readonly stats: Stats
}

/** Where the caller's path really leads. The answer can be outdated a moment later: open it with `confine.ts`. */
export async function locate(root: string, path: string): Promise<Found> {
  const misspelling = findMisspelling(path)
  if (misspelling !== undefined) throw failure(misspelling)
  const real = await realpath(root)
  const absolute = resolve(root, path)
  const base = [root, real].find((candidate) => isInside(candidate, absolute))
  if (base === undefined) throw failure('OUTSIDE')
  const found = await follow(real, relative(base, absolute))
  if (endsAsDirectory(path) && !found.stats.isDirectory()) throw failure('ENOTDIR')
  return found
}

/** The separator counts: `/a/b` is not a parent of `/a/bc`. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/** Whether the path can only mean a directory, such as `notes/` or `notes/.`. */
export function endsAsDirectory(path: string): boolean {
  return AS_DIRECTORY.test(path)
}

const AS_DIRECTORY = sep === '/' ? /(?:^|\/)\.?$/ : /(?:^|[\\/])\.?$/

/** What no path may have in it, if it does. */
export function findMisspelling(path: string): 'NUL' | 'DOT_DOT' | undefined {
  if (path.includes('\0')) return 'NUL'
  return path.includes('..') && segments(path).includes('..') ? 'DOT_DOT' : undefined
}

function segments(path: string): string[] {
  return path.split(sep === '/' ? '/' : /[\\/]/)
}

// Links are followed by hand because realpath fails differently for an outside file that exists and one that does not.
async function follow(root: string, way: string): Promise<Found> {
  const ahead = segments(way)
  let links = 0
  let at = root
  let stats: Stats
  do {
    const next = resolve(at, ahead.shift() as string) // Even '' has one.
    const step = await look(root, next)
    stats = step.stats
    if (step.target === undefined) {
      at = next
      continue
    }
    links += 1
    if (links > MOST_LINKS) throw failure(isInside(root, next) ? 'ELOOP' : 'OUTSIDE')
    const start = parse(step.target).root
    if (isAbsolute(step.target)) at = start
    ahead.unshift(...segments(step.target.slice(start.length)))
  } while (ahead.length > 0)
  if (!isInside(root, at)) throw failure('OUTSIDE')
  return { root, path: at, stats }
}

// As many as Linux allows.
const MOST_LINKS = 40

async function look(root: string, path: string): Promise<{ stats: Stats; target?: string }> {
  try {
    const stats = await lstat(path)
    return stats.isSymbolicLink() ? { stats, target: await readlink(path) } : { stats }
  } catch (error) {
    // Why a step outside the root failed is nobody's business.
    throw isInside(root, path) ? error : failure('OUTSIDE')
  }
}
