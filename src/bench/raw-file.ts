import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the bare loop is, wherever in the package a build has put this file. */
export function findRawFile(transport: 'stdio' | 'http'): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return join(folder, 'dist', 'bench', `raw-${transport}.js`)
}
