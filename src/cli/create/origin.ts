import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isObject } from '../../kernel/index.ts'

/**
 * What a project writes down to depend on the package in a folder: the tarball it was installed from, the clone it is,
 * or a range of versions of what is published.
 */
export function dependencyOn(folder: string, version: string): string {
  const modules = dirname(folder)
  if (basename(modules) !== 'node_modules') return `file:${folder}`
  const resolved = readResolved(modules, basename(folder))
  if (resolved?.startsWith('file:') !== true) return `^${version}`
  const tarball = resolve(dirname(modules), resolved.slice('file:'.length))
  return existsSync(tarball) ? `file:${tarball}` : `^${version}`
}

/** Where npm says that it found a package; others who install write no such file. */
function readResolved(modules: string, name: string): string | undefined {
  try {
    const lock: unknown = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
    const packages = isObject(lock) && isObject(lock['packages']) ? lock['packages'] : {}
    const entry = packages[`node_modules/${name}`]
    const resolved = isObject(entry) ? entry['resolved'] : undefined
    return typeof resolved === 'string' ? resolved : undefined
  } catch {
    return undefined // Then it is taken for what is published.
  }
}
