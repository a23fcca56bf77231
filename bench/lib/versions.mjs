import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTENDERS, ROOT } from './contenders.mjs'

/** The versions of everything that is measured. */
export function readVersions() {
  const names = ['perigee', ...CONTENDERS.flatMap(({ packages = [] }) => packages), 'zod']
  return Object.fromEntries([...new Set(names)].map((name) => [name, versionOf(name)]))
}

function versionOf(name) {
  const folder = name === 'perigee' ? ROOT : join(ROOT, 'bench', 'node_modules', name)
  const file = join(folder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : 'missing'
}
