// What the package offers: every export of every entry that package.json names, with its comment and its examples.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createModuleReader } from './modules.mjs'

/** Every entry of the package, with everything that can be imported from it; reads what `npm run build` has made. */
export function readEntries(root, read = createModuleReader()) {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.entries(exports)
    .flatMap(([path, target]) => targetsOf(root, path, target))
    .filter(({ file }) => file.endsWith('.d.ts'))
    .map(({ path, file, condition }) => {
      const entry = path === '.' ? name : `${name}/${path.slice(2)}`
      const names = [...exportedNames(read, join(root, file))].sort(byName)
      return {
        name: entry,
        condition,
        file,
        exports: names.map((one) => describe(read, join(root, file), one)),
      }
    })
}

/** The conditions that have declarations of their own are entries of their own. */
function targetsOf(root, path, target) {
  const conditions = typeof target === 'string' ? { default: target } : target
  const { default: usual, ...others } = conditions
  const special = Object.entries(others)
    .filter(([, to]) => to !== './dist/bundled.js')
    .map(([condition, to]) => ({ path, file: declarationOf(to), condition }))
  const paths = path.includes('*') ? readdirSync(join(root, 'src/modules')) : ['']
  const all = paths.map((one) => ({
    path: path.replace('*', one),
    file: declarationOf(usual.replace('*', one)),
  }))
  return [...all, ...special].filter(({ file }) => existsSync(join(root, file)))
}

function declarationOf(target) {
  return target.slice(2).replace(/\.js$/, '.d.ts')
}

function exportedNames(read, file) {
  const { exported, stars } = read(file)
  return new Set([...exported.keys(), ...stars.flatMap(({ from }) => [...exportedNames(read, from)])])
}

function describe(read, file, name) {
  const { parts = [], key, declaredAs = name, isType } = find(read, file, name)
  const comments = parts.map(({ comment }) => comment).filter((comment) => comment !== undefined)
  const [text = '', ...examples] = comments.join('\n\n').split(/^@example\s*/m)
  const declared = parts.map((part) => tidy(part.text)).join('\n')
  return {
    name,
    key,
    kind: isType ? 'type' : parts[0]?.kind,
    text: declaredAs === name ? declared : declared.replaceAll(new RegExp(`\\b${declaredAs}\\b`, 'g'), name),
    comment: text.trim(),
    examples: examples.map((example) => example.trim()),
  }
}

/** Follows a name through re-exports to where it is declared; what was exported as a type on the way is one. */
function find(read, file, name) {
  const { declared, exported, stars } = read(file)
  const to = exported.get(name)
  if (to === undefined) {
    const star = stars.find((one) => exportedNames(read, one.from).has(name))
    if (star === undefined) throw new Error(`${file} exports no ${name}`)
    return follow(read, { ...star, name })
  }
  if (to.from !== undefined) return follow(read, to)
  const own = declared.get(to.local)
  if (own?.from !== undefined) return follow(read, { ...own, isType: to.isType || own.isType })
  return { key: `${file}#${to.local}`, declaredAs: to.local, isType: to.isType, parts: own?.parts }
}

function follow(read, { from, name, isType }) {
  const found = find(read, from, name)
  return { ...found, isType: isType || found.isType }
}

/** Without what nobody outside can touch, and without words that every declaration begins with. */
function tidy(text) {
  return text
    .replace(/^(export )?(declare )?/, '')
    .replaceAll(/^ +(#private|private [^;]*);\n/gm, '')
    .replace(/;$/, '')
}

function byName(a, b) {
  return a.localeCompare(b, 'en')
}
