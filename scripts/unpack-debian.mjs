import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Puts Debian's packages into a folder, without installing them: no service starts, and nobody has to be root. */
export async function unpackDebian(names, folder) {
  await run('apt-get', ['download', ...names], { cwd: folder })
  const archives = readdirSync(folder).filter((name) => name.endsWith('.deb'))
  for (const archive of archives) await run('dpkg', ['-x', join(folder, archive), folder])
  const triplet = readdirSync(join(folder, 'usr', 'lib')).find((name) => name.includes('-linux-')) ?? ''
  const program = (name) => join(folder, 'usr', 'sbin', name)
  return { program, env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'usr', 'lib', triplet) } }
}
