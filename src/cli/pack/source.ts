import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { SERVERS } from '../../servers/index.ts'
import { findUsual } from '../client/named-server.ts'
import { environment } from '../environment.ts'
import { UsageError } from '../usage-error.ts'
import { placeOf } from './collect.ts'
import { findPackage, type NodePackage } from './package-json.ts'

/** What is packed: a file of a package, or a server that is served somewhere. */
export type PackSource =
  | { readonly package: NodePackage; readonly entry: string; readonly talk: readonly string[] }
  | { readonly url: string; readonly talk: readonly string[] }

/** Where a server is that was named, and how `talk` finds it. */
export function findSource(word: string | undefined): PackSource {
  const named = word ?? findUsual()
  if (/^https?:\/\//i.test(named)) return { url: named, talk: ['--url', named] }
  if (!existsSync(named)) throw new UsageError(unknown(named))
  const own = findPackage(named)
  const file = compiled(resolve(named), own)
  const env = Object.entries(environment()).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const command = [process.execPath, process.argv[1] ?? '', 'serve', file, '--offer', 'all']
  return { package: own, entry: placeOf(file, own), talk: [...env, '--', ...command] }
}

function unknown(named: string): string {
  return Object.hasOwn(SERVERS, named)
    ? `${named} comes with perigee, and is run by that: packed is a server of your own, in a file`
    : `there is no file ${named}. Expected a file that exports a server, or the address of one`
}

/** Where a bundle is unpacked nothing compiles: of TypeScript what it was compiled to is packed. */
function compiled(file: string, { folder }: NodePackage): string {
  if (!/\.[cm]?tsx?$/.test(file)) return file
  const script = file.replace(/\.([cm]?)tsx?$/, '.$1js')
  const inside = relative(folder, script)
  const places = [script, join(folder, 'dist', inside), join(folder, 'dist', inside.replace(/^src[\\/]/, ''))]
  const found = places.find((place) => existsSync(place))
  if (found !== undefined) return found
  throw new UsageError(
    `${relative(process.cwd(), file)} is TypeScript, and where a bundle runs nothing compiles it: compile it first (npm run build), or name the JavaScript; looked for ${places.map((place) => relative(process.cwd(), place)).join(', ')}`,
  )
}
