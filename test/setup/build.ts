import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const SOURCES = [
  'src',
  'console',
  'scripts/bundle.mjs',
  'scripts/console.mjs',
  'scripts/declarations.mjs',
  'scripts/later.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
]
/** The last file that a build writes to. */
const LAST = 'dist/console/frame.html'

/** Tests that start a process start what users start, so it is built first, unless that has just been done. */
export default function build(): void {
  if (!isBuilt()) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
}

function isBuilt(): boolean {
  const built = statSync(join(ROOT, LAST), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return SOURCES.every((source) => lastChanged(join(ROOT, source)) < built)
}

/** When a file was written, or the newest of a folder's; a folder's own time tells of what was removed. */
function lastChanged(path: string): number {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => lastChanged(join(path, name))))
}
