import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Installs one of Debian's packages, which root alone can; anybody else gets an Error that says `otherwise`. */
export async function installDebian(name, otherwise) {
  if (process.getuid?.() !== 0) throw new Error(otherwise)
  const quiet = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  await run('apt-get', ['update'], quiet).catch(() => {}) // The lists that are there may do.
  // Several tests may want something at once, and apt-get lets one at a time.
  const waiting = ['-o', 'DPkg::Lock::Timeout=300']
  await run('apt-get', [...waiting, 'install', '-y', '--no-install-recommends', name], quiet)
}
