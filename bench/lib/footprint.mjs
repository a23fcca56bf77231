import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CONTENDERS, ROOT } from './contenders.mjs'

const BENCH = join(ROOT, 'bench')

/** What `npm install` of a contender brings: every package that it needs, and their size on disk. */
export function installSizes(names, { samples, progress }) {
  progress.step('install size')
  for (const { name, packages } of CONTENDERS.filter((one) => names.includes(one.name) && one.packages)) {
    const folders = closure(packages)
    const bytes = [...folders].reduce((total, folder) => total + sizeOf(folder), 0)
    samples.add('install.size', { name }, 0, bytes / 1024 / 1024)
    samples.add('install.packages', { name }, 0, folders.size)
  }
}

function closure(packages) {
  const folders = new Set()
  const add = (folder) => {
    if (folder === undefined || folders.has(folder)) return
    folders.add(folder)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest(folder)
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (peer) => !peerDependenciesMeta?.[peer]?.optional,
    )
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      add(find(name, folder))
  }
  for (const name of packages) add(name === 'perigee' ? ROOT : find(name, BENCH))
  return folders
}

const manifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** As Node looks for it: in every `node_modules` on the way up. */
function find(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return resolve(found)
    if (folder === dirname(folder)) return undefined
  }
}

/** The files of a package, without the packages inside it; of this one, those that are published. */
function sizeOf(folder) {
  const published = folder === ROOT ? ['dist', 'package.json', 'README.md', 'LICENSE'] : readdirSync(folder)
  const size = (path) => {
    const stat = lstatSync(path)
    if (!stat.isDirectory()) return path.endsWith('.tsbuildinfo') ? 0 : stat.size
    return readdirSync(path).reduce((total, name) => total + size(join(path, name)), 0)
  }
  return published
    .filter((name) => name !== 'node_modules')
    .reduce((total, name) => total + size(join(folder, name)), 0)
}

/** A process that imports what a server on stdio needs, and ends. */
export function importTimes(names, { samples, plan, progress }) {
  const measured = CONTENDERS.filter(({ name }) => names.includes(name))
  for (let round = -1; round < plan.imports; round++) {
    for (const { name, imports = [] } of measured) {
      progress.step('import')
      const code = imports.map((one) => `await import(${JSON.stringify(one)})`).join('\n')
      const began = performance.now()
      spawnSync(process.execPath, ['--input-type=module', '-e', `${code}\nprocess.exit(0)`], { cwd: BENCH })
      // The first round fills the page cache.
      if (round >= 0) samples.add('import.time', { name }, round, performance.now() - began)
    }
  }
}

export const countFootprintSteps = (names, { imports }) => 1 + names.length * (imports + 1)
