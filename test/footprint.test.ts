import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const MiB = 1024 * 1024

interface Manifest {
  readonly dependencies?: { readonly [name: string]: string }
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    statSync(join(folder, file)),
  )
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0)
}

/** A package's dependencies and theirs, as they lie in `node_modules`. */
function dependenciesOf(folder: string): readonly string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const folders = Object.keys(dependencies).map((name) => join(ROOT, 'node_modules', name))
  return [...new Set(folders.flatMap((one) => [one, ...dependenciesOf(one)]))]
}

it('takes no more than 5 MiB to install, with all that it needs', async () => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
  })
  const [{ unpackedSize }] = JSON.parse(stdout) as [{ unpackedSize: number }]
  const sizes = dependenciesOf(ROOT).map(sizeOf)
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, unpackedSize)).toBeLessThan(5 * MiB)
})
