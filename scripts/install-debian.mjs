import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Several tests may want something at once, and apt-get lets one at a time; some of its locks it does not wait for. */
const TURN = join(tmpdir(), 'perigee-debian.lock')
/** The lists that are there may do. */
const INSTALL =
  'apt-get update || true; apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$0"'

/** Installs one of Debian's packages, which root alone can; anybody else gets an Error that says `otherwise`. */
export async function installDebian(name, otherwise) {
  if (process.getuid?.() !== 0) throw new Error(otherwise)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('flock', [TURN, 'sh', '-c', INSTALL, name], { env, maxBuffer: 64 * 1024 * 1024 })
}
