// Puts into dist/ the declarations that somebody who imports the package can come to, with the sources that an editor
// leads to from them, and no others: what the commands are made of is nobody's type, and what has been removed from
// src/ is not published for ever.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const FROM = join(ROOT, '.cache', 'declarations')
const TO = join(ROOT, 'dist')

/** What bundlers are given in the place of the index, which has its declarations. */
const BUNDLED = './dist/bundled.js'

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const modules = readdirSync(join(ROOT, 'src', 'modules'))

const entries = Object.values(exports)
  .flatMap((one) => (typeof one === 'string' ? one : Object.values(one)))
  .filter((path) => path.endsWith('.js') && path !== BUNDLED)
  .flatMap((path) => (path.includes('*') ? modules.map((name) => path.replace('*', name)) : path))
  .map((path) => path.replace('./dist/', '').replace(/\.js$/, '.d.ts'))

const reached = new Set()
for (const entry of entries) reach(entry)

mkdirSync(TO, { recursive: true })
for (const file of readdirSync(TO, { recursive: true, encoding: 'utf8' })) {
  if (/\.d\.ts(\.map)?$/.test(file)) rmSync(join(TO, file))
}
rmSync(join(TO, 'src'), { recursive: true, force: true })
for (const file of reached) {
  cpSync(join(FROM, file), join(TO, file))
  const source = file.replace(/\.d\.ts$/, '.ts')
  cpSync(join(ROOT, 'src', source), join(TO, 'src', source))
  // The map leads to the source, which stands two folders nearer from here.
  const map = readFileSync(join(FROM, `${file}.map`), 'utf8')
  const { file: of, sources, mappings } = JSON.parse(map)
  const nearer = sources.map((one) => one.replace('../../', ''))
  // What else tsc writes is empty, and editors do without it.
  writeFileSync(join(TO, `${file}.map`), JSON.stringify({ version: 3, file: of, sources: nearer, mappings }))
}

function reach(file) {
  if (reached.has(file)) return
  reached.add(file)
  const text = readFileSync(join(FROM, file), 'utf8')
  for (const [, to] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) {
    reach(join(dirname(file), to).replace(/\.ts$/, '.d.ts'))
  }
}
