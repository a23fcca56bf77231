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

/** The same places for the same seed. */
export function sampleOf(sites, count, seed) {
  const rank = ({ key }) => createHash('sha256').update(`${seed} ${key}`).digest('hex')
  const ranked = sites.map((site) => ({ site, rank: rank(site) }))
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1))
  return ranked.slice(0, count).map(({ site }) => site)
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
  const lines = text.split('\n')
  const add = ({ start, end }, kind, { early, change }) => {
    const source = text.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 80)
    const line = text.slice(0, start).split('\n').length
    const place = { file, kind, text: source, line: lines[line - 1].trim() }
    const name = JSON.stringify(place)
    const nth = (seen.get(name) ?? 0) + 1
    seen.set(name, nth)
    sites.push({ ...place, line, key: keyOf({ ...place, nth }), start, end, early, change })
  }
  walk(parseAst(text, { lang: 'ts' }), (node, early) => {
    PLACES[node.type]?.(node, (place, kind, change) => add(place, kind, { early, change }), text)
  })
  return sites
}

/** The same for as long as the line that it stands in, and moved lines make no other. */
export function keyOf({ file, kind, text, line, nth = 1 }) {
  const name = [file, kind, text, line, nth].join('\n')
  return createHash('sha256').update(name).digest('hex').slice(0, 12)
}

/**
 * What can be changed about each kind of node; `change` makes the new text of what stands inside, once,
 * however many changes stand inside each other. What it calls is in tree.mjs.
 */
const PLACES = {
  IfStatement({ test, consequent, alternate }, add) {
    add(test, 'negate', (id, inner) => `__v(!(${inner(test)}) === __m(${id}))`)
    if (alternate === null && leaves(consequent))
      add(test, 'drop the guard', (id, inner) => `__v(!__m(${id}) && (${inner(test)}))`)
  },
  ConditionalExpression({ test }, add) {
    add(test, 'negate', (id, inner) => `__v(!(${inner(test)}) === __m(${id}))`)
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
    add(
      node,
      `${operator} to ${other}`,
      (id, inner) => `__b(__m(${id}), '${operator}', (${inner(left)}), (${inner(right)}))`,
    )
  },
  LogicalExpression(node, add) {
    const { left, operator, right } = node
    const kind = { '&&': '&& to ||', '||': '|| to &&', '??': 'drop the fallback' }[operator]
    add(
      node,
      kind,
      (id, inner) => `__v(__l(__m(${id}), '${operator}', (${inner(left)})) ? (${inner(right)}) : __k())`,
    )
  },
  AwaitExpression(node, add) {
    const { argument } = node
    add(
      node,
      'drop the await',
      (id, inner) => `__v(__a(__m(${id}), (${inner(argument)})) ? __k() : await __k())`,
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

const LATER = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** Types and names are not walked: nothing of them is left when the code runs. `early` is what runs when the file is read. */
function walk(node, visit, early = true) {
  if (isOfKeysAlone(node)) return
  visit(node, early)
  const later = LATER.includes(node.type) || (node.type === 'PropertyDefinition' && !node.static)
  for (const [name, value] of Object.entries(node)) {
    if (TYPES.includes(name) || (name === 'key' && !node.computed)) continue
    for (const child of Array.isArray(value) ? value : [value])
      if (isWalked(child)) walk(child, visit, early && !later)
  }
}

/** `Object.keys` of what is written down there: nobody reads its values. */
function isOfKeysAlone({ type, callee, arguments: given }) {
  if (type !== 'CallExpression' || callee.object?.name !== 'Object' || callee.property.name !== 'keys')
    return false
  const { properties = [] } = given[0].expression ?? given[0]
  return properties.length > 0 && properties.every(({ value }) => value?.type === 'Literal')
}

const TYPES = ['typeAnnotation', 'returnType', 'typeArguments', 'typeParameters']

function isWalked(value) {
  if (value === null || typeof value !== 'object' || typeof value.type !== 'string') return false
  return !value.type.startsWith('TS') || 'expression' in value
}
