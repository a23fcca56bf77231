// Makes dist/: compiled, its declarations brought together, bundled, and the console's page.
//   npm run build [-- --anew]
// What has been made of the same sources is not made again.
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = [
  'src',
  'console',
  ...['bodies', 'build', 'bundle', 'console', 'declarations', 'eager', 'first-answer', 'later'].map(
    (name) => `scripts/${name}.mjs`,
  ),
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
  'package-lock.json',
]
/** The last file that a build writes to. */
const LAST = join(ROOT, 'dist/console/frame.html')

if (process.argv.includes('--anew') || !isBuilt()) build()

function build() {
  rmSync(LAST, { force: true }) // A build that fails is none.
  run(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json')
  for (const name of ['declarations', 'bundle', 'console']) run(join(ROOT, 'scripts', `${name}.mjs`))
}

function run(...args) {
  try {
    execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
  } catch ({ status }) {
    process.exit(status ?? 1) // It has said why.
  }
}

function isBuilt() {
  const built = statSync(LAST, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return SOURCES.every((source) => lastChanged(join(ROOT, source)) < built)
}

/** When a file was written, or the newest of a folder's; a folder's own time tells of what was removed. */
function lastChanged(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => lastChanged(join(path, name))))
}
