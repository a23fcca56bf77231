import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isObject, type JsonObject } from '../../kernel/index.ts'
import { UsageError } from '../usage-error.ts'
import { type NodePackage, readJson } from './package-json.ts'
import type { PackedFile } from './zip.ts'

/** What a host would unpack on every machine; more is a mistake, such as a folder of data that was not meant. */
const MAX_BYTES = 256 * 1024 * 1024

/** A package's own files, and those of the packages that it needs to run. */
export function collectFiles(own: NodePackage): readonly PackedFile[] {
  const files = new Map<string, PackedFile>()
  let bytes = 0
  const add = (path: string, file: string) => {
    const content = readFileSync(file)
    bytes += content.length
    if (bytes > MAX_BYTES)
      throw new UsageError(
        `a bundle may have ${MAX_BYTES} bytes, and this has more: name what belongs to it in "files" of package.json`,
      )
    const executable = (statSync(file).mode & 0o111) !== 0
    files.set(path, { path, bytes: content, executable })
  }
  for (const path of ownFiles(own)) add(path, join(own.folder, path))
  for (const [place, folder] of placePackages(own))
    for (const path of runFiles(folder)) add(`${place}/${path}`, join(folder, path))
  return [...files.values()]
}

/** What npm would publish of a package that names its files; else all but what is nobody's business. */
function ownFiles({ folder, json }: NodePackage): readonly string[] {
  const { files } = json
  const all = listFiles(folder)
  if (!Array.isArray(files))
    return all.filter((path) => !/(^|\/)(server\.json|[^/]*\.(mcpb|tgz))$/.test(path))
  const patterns = files.map(String)
  const matches = (path: string, pattern: string) => toPattern(pattern).test(path)
  return all.filter((path) => {
    const last = patterns.findLast((pattern) => matches(path, pattern.replace(/^!/, '')))
    return path === 'package.json' || (last !== undefined && !last.startsWith('!'))
  })
}

/** Of a package what it takes to run; of one that is linked, from a workspace, what it would publish. */
function runFiles(folder: string): readonly string[] {
  const isInstalled = folder.split(sep).includes('node_modules')
  const all = isInstalled
    ? listFiles(folder)
    : ownFiles({ folder, json: readJson(join(folder, 'package.json')) })
  return all.filter((path) => !/\.([cm]?tsx?|map)$/.test(path))
}

/** A file, a folder with all in it, or names with `*` and `**` in them. */
function toPattern(glob: string): RegExp {
  const parts = glob
    .replace(/^\.?\//, '')
    .replace(/\/$/, '')
    .split(/(\*\*\/?|\*)/)
    .map((part) => PARTS[part] ?? part.replace(/[.+^${}()|[\]\\?]/g, '\\$&'))
  return new RegExp(`^${parts.join('')}(/.*)?$`)
}

const PARTS: { readonly [glob: string]: string } = { '**/': '(.*/)?', '**': '.*', '*': '[^/]*' }

/** Settings of tools and secrets begin with a dot. */
const isPublished = (name: string) => !name.startsWith('.') && name !== 'node_modules'

function listFiles(folder: string): readonly string[] {
  const found: string[] = []
  const look = (place: string) => {
    for (const entry of readdirSync(join(folder, place), { withFileTypes: true })) {
      const path = join(place, entry.name)
      if (!isPublished(entry.name)) continue
      if (entry.isDirectory()) look(path)
      else if (entry.isFile()) found.push(path.split(sep).join('/'))
    }
  }
  look('')
  return found.sort()
}

/** Where in the bundle each package stands that is needed to run; the first of a name is beside the server. */
function placePackages(own: NodePackage): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  const waiting = [{ at: '', package: own }]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { at, package: dependent } = next
    for (const { name, optional } of needsOf(dependent.json)) {
      const folder = findInstalled(name, dependent.folder)
      if (folder === undefined && !optional)
        throw new UsageError(`${name} is not installed, and ${nameOf(dependent)} needs it: npm install`)
      if (folder === undefined || isReachable(name, folder, { at, places })) continue
      const top = `node_modules/${name}`
      const place = places.has(top) ? `${at === '' ? '' : `${at}/`}${top}` : top
      places.set(place, folder)
      waiting.push({ at: place, package: { folder, json: readJson(join(folder, 'package.json')) } })
    }
  }
  return places
}

interface Placing {
  readonly at: string
  readonly places: ReadonlyMap<string, string>
}

/** Whether a package that stands at a place finds this one already, as Node looks for it. */
function isReachable(name: string, folder: string, { at, places }: Placing): boolean {
  for (let above = at; ; above = above.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const found = places.get(`${above === '' ? '' : `${above}/`}node_modules/${name}`)
    if (found !== undefined) return found === folder
    if (above === '') return false
  }
}

interface Need {
  readonly name: string
  readonly optional: boolean
}

/** What is optional comes along where it is installed; what its user may bring only where the user does. */
function needsOf(json: JsonObject): readonly Need[] {
  const names = (member: string) => Object.keys(isObject(json[member]) ? json[member] : {})
  const optional = names('optionalDependencies')
  const peers = names('peerDependencies').filter((name) => !names('peerDependenciesMeta').includes(name))
  const firm = names('dependencies').filter((name) => !optional.includes(name))
  return [
    ...firm.map((name) => ({ name, optional: false })),
    ...[...optional, ...peers].map((name) => ({ name, optional: true })),
  ]
}

/** Looks where Node does, and follows links to where the package really is. */
function findInstalled(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(join(place, 'package.json'))) return realpathSync(place)
    if (folder === dirname(folder)) return undefined
  }
}

const nameOf = ({ folder, json }: NodePackage) => String(json['name'] ?? basename(folder))

/** The path of a file in its package, with slashes; it has to be one of those that are packed. */
export function placeOf(file: string, { folder }: NodePackage): string {
  return relative(folder, file).split(sep).join('/')
}
