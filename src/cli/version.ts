import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../process/package-folder.ts'

/** The version of this package. */
export function readVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(packageFolder(), 'package.json'), 'utf8'),
  )
  return manifest.version
}
