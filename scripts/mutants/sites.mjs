import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { ROOT } from '../outside.mjs'

const FLIPPED = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '-': '+', '*': '/' }

/** Every place of these folders that can be changed, with the change. */
export function findSites(folders) {
  return folders.flatMap((folder) => filesOf(folder).flatMap(sitesOf))
}

/** The same places for the same seed, in the order of the source. */
export function sampleOf(sites, count, seed) {
  const rank = ({ key }) => createHash('sha256').update(`${seed} ${key}`).digest('hex')
  const ranked = sites.map((site) => ({ site, rank: rank(site) }))
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1))
  return ranked.slice(0, count).map(({ site }, index) => ({ ...site, id: index + 1 }))
}

function filesOf(folder) {
  return readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join('src', folder, file))
    .toSorted()
}

function sitesOf(file) {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const sites = []
  const seen = new Map()
  const add = (node, kind, change) => {
    const source = text.slice(node.start, node.end)
    const name = `${file} ${kind} ${source.replaceAll(/\s+/g, ' ').slice(0, 80)}`
    const repeat = (seen.get(name) ?? 0) + 1
    seen.set(name, repeat)
    const key = createHash('sha256').update(`${name} ${repeat}`).digest('hex').slice(0, 12)
    const line = text.slice(0, node.start).split('\n').length
    sites.push({ file, line, kind, text: source, key, start: node.start, end: node.end, change })
  }
  walk(parseAst(text, { lang: 'ts' }), (node) => PLACES[node.type]?.(node, add, text))
  return sites
}

/** What can be changed about each kind of node; `change` makes the new text of what stands inside. */
const PLACES = {
  IfStatement({ test, consequent, alternate }, add) {
    add(test, 'negate', (id, inner) => `__v(__m(${id}) ? !(${inner(test)}) : (${inner(test)}))`)
    if (alternate === null && leaves(consequent))
      add(test, 'drop the guard', (id, inner) => `__v(!__m(${id}) && (${inner(test)}))`)
  },
  ConditionalExpression({ test }, add) {
    add(test, 'negate', (id, inner) => `__v(__m(${id}) ? !(${inner(test)}) : (${inner(test)}))`)
  },
  ExpressionStatement(node, add) {
    if (node.directive || contains(node, 'Super')) return
    const { expression } = node
    add(node, 'drop the statement', (id, inner) => `__m(${id}) || (${inner(expression)});`)
  },
  BinaryExpression(node, add) {
    const { left, operator, right } = node
    const other = FLIPPED[operator]
    if (other === undefined) return
    add(node, `${operator} to ${other}`, (id, inner) => {
      const [a, b] = [inner(left), inner(right)]
      return `__v(__m(${id}) ? (${a}) ${other} (${b}) : (${a}) ${operator} (${b}))`
    })
  },
  LogicalExpression(node, add) {
    const { left, operator, right } = node
    const other = { '&&': '||', '||': '&&', '??': undefined }[operator]
    add(node, other === undefined ? 'drop the fallback' : `${operator} to ${other}`, (id, inner) => {
      const [a, b] = [inner(left), inner(right)]
      const changed = other === undefined ? `(${a})` : `((${a}) ${other} (${b}))`
      return `__v(__m(${id}) ? ${changed} : ((${a}) ${operator} (${b})))`
    })
  },
  AwaitExpression(node, add) {
    const { argument } = node
    add(
      node,
      'drop the await',
      (id, inner) => `__v(__m(${id}) ? (${inner(argument)}) : await (${inner(argument)}))`,
    )
  },
  Literal(node, add, text) {
    const raw = text.slice(node.start, node.end)
    if (typeof node.value === 'boolean')
      add(node, 'flip', (id) => `__v(__m(${id}) ? ${!node.value} : ${raw})`)
    if (typeof node.value === 'number')
      add(node, 'another number', (id) => `__v(__m(${id}) ? ${node.value * 2 + 1} : ${raw})`)
  },
}

function leaves(node) {
  if (node.type === 'ReturnStatement' || node.type === 'ThrowStatement') return true
  return node.type === 'BlockStatement' && node.body.length > 0 && leaves(node.body.at(-1))
}

function contains(node, type) {
  let found = false
  walk(node, (one) => {
    found ||= one.type === type
  })
  return found
}

/** Types and names are not walked: nothing of them is left when the code runs. */
function walk(node, visit) {
  visit(node)
  for (const [name, value] of Object.entries(node)) {
    if (
      name === 'typeAnnotation' ||
      name === 'returnType' ||
      name === 'typeArguments' ||
      name === 'typeParameters'
    )
      continue
    if (name === 'key' && !node.computed) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isWalked(child)) walk(child, visit)
  }
}

function isWalked(value) {
  if (value === null || typeof value !== 'object' || typeof value.type !== 'string') return false
  return !value.type.startsWith('TS') || 'expression' in value
}
