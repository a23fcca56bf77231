// Parts of what is published that Node reads when one of their functions is first called, and not at the start. In the
// source they are imports like any other. In what is published the files through which one comes to a part, its doors,
// are stubs that read the part, at once, and become what is in it. A part is CommonJS, since that is what can be read
// at once; what it needs of the core is handed to it, so that nothing is there twice.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { minifySync, parseSync, Visitor } from 'rolldown/utils'

const STUBS = '\0stubs:'
const CORE = 'core.js'
const INDEX = 'index.js'
/** What Node and bundlers are given in two ways, beside the core. */
const CHOSEN = ['listening', 'shared']
const partFile = (part) => `_part_${part}.js`

/** `doors`: for each part the files through which others come to it. `entries`: all that is published. */
export function later({ doors, entries }) {
  const partOfDoor = new Map(
    Object.entries(doors).flatMap(([part, files]) => files.map((one) => [one, part])),
  )
  const isDoor = (file) => partOfDoor.has(file)
  const outside = entries.reduce((found, entry) => reach(entry, { isDoor, found, lazily: true }), new Set())
  const inside = new Map()
  for (const [part, files] of Object.entries(doors)) {
    const isOther = (file) => isDoor(file) && partOfDoor.get(file) !== part
    for (const file of files.reduce((found, door) => reach(door, { isDoor: isOther, found }), new Set())) {
      if (!outside.has(file)) inside.set(file, inside.has(file) ? undefined : part)
    }
  }
  return {
    /** Whether a file is read with a part, and not with the core. */
    waits: (file) => inside.get(file) !== undefined,
    fileOf: ({ name }) =>
      name === 'core' || CHOSEN.includes(name) || /^_part_/.test(name)
        ? `parts/${name}.js`
        : 'parts/[name]-[hash].js',
    isStub: (id) => id.startsWith(STUBS),
    plugin: stubs({ doors, partOfDoor, partOf: (file) => inside.get(file) }),
    finish: (out) => finishParts(out, Object.keys(doors)),
  }
}

/** The files that are loaded with one: those that it imports, those that they import, and so on. */
export function reach(file, { isDoor = () => false, found = new Set(), lazily = false } = {}) {
  if (found.has(file)) return found
  found.add(file)
  for (const next of importsOf(file, lazily)) {
    if (!isDoor(next)) reach(next, { isDoor, found, lazily })
    else if (lazily) for (const one of lazyImportsBehind(next)) reach(one, { isDoor, found, lazily })
  }
  return found
}

function importsOf(file, lazily) {
  const text = readFileSync(file, 'utf8')
  const now = [...text.matchAll(/^(?:import|export)\b([^'"]*?)\bfrom '(\.[^']+)'/gm)]
    .filter(([, names]) => !isOnlyTypes(names))
    .map(([, , from]) => from)
  const lazy = lazily ? [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, from]) => from) : []
  return [...now, ...lazy].map((from) => join(dirname(file), from))
}

/** What a part imports when it needs it is a file of its own, which does not see into the part. */
function lazyImportsBehind(door) {
  const behind = [...reach(door)]
  return behind.flatMap((file) =>
    importsOf(file, true).filter((one) => !importsOf(file, false).includes(one)),
  )
}

function isOnlyTypes(names) {
  const listed = /^\s*\{([^}]*)\}/.exec(names)?.[1].split(',')
  return /^\s*type\b/.test(names) || listed?.every((name) => /^\s*(type .*)?$/.test(name)) === true
}

function stubs({ doors, partOfDoor, partOf }) {
  return {
    name: 'later',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (/^(stubs|part):/.test(source)) return `\0${source}`
      const file = join(dirname(importer), source)
      const part = partOfDoor.get(file)
      if (part === undefined || importer === `\0part:${part}` || partOf(importer) === part) return undefined
      return `${STUBS}${part}`
    },
    load(id) {
      const [, kind, part] = /^\0(stubs|part):(.*)/.exec(id) ?? []
      if (kind === 'part')
        return doors[part].map((door) => `export { ${namesOf(door)} } from '${door}'`).join('\n')
      return kind === 'stubs' ? printStubs(part, doors[part].flatMap(namesOf)) : undefined
    },
  }
}

/** What runs and can be called, which is all that may be imported through a door. */
function namesOf(door) {
  const text = readFileSync(door, 'utf8')
  const own = [...text.matchAll(/^export (?:async )?(?:function|class) (\w+)/gm)].map(([, name]) => name)
  const passed = [...text.matchAll(/^export \{([^}]*)\} from/gm)].flatMap(([, names]) => names.split(','))
  return [...own, ...passed.map((name) => name.trim()).filter((name) => /^\w+$/.test(name))]
}

/** Names of classes begin with a capital letter. */
const isClass = (name) => /^[A-Z]/.test(name)

function printStubs(part, names) {
  const stub = (name) =>
    isClass(name)
      ? `export let ${name} = function (...given) { read(); return new ${name}(...given) }`
      : `export let ${name} = (...given) => (read(), ${name}(...given))`
  return `${names.map(stub).join('\n')}
let read = () => { ({ ${names} } = import('part:${part}')); read = () => {} }`
}

/**
 * Makes functions of the parts: they are given what they import of the core, and give what they export. There are two
 * of each, and two cores: one that reads its parts, and one that imports them, for bundlers. `#core` is either.
 */
function finishParts(out, parts) {
  const folder = join(out, 'parts')
  const core = readFileSync(join(folder, CORE), 'utf8')
  const [, listed] = /\nexport \{ (.*) \};\s*$/.exec(core)
  const exported = new Map(listed.split(', ').map((one) => one.split(' as ').reverse()))
  let reading = core
  let importing = core
  for (const part of parts) {
    const file = partFile(part)
    const { given, builtins, body } = takeApart(readFileSync(join(folder, file), 'utf8'))
    rmSync(join(folder, file))
    const make = `(function ({ ${given.map(([, local]) => local).join(', ')} }) {\n${body}})`
    writeFileSync(
      join(folder, `${part}.cjs`),
      `${builtins.map(toRequire).join('')}module.exports = ${make};\n`,
    )
    writeFileSync(
      join(folder, `${part}.js`),
      shrink(`${builtins.map(toImport).join('')}export default ${make};\n`),
    )
    const handed = given.map(([name, local]) => `${local}: ${exported.get(name) ?? name}`).join(', ')
    reading = reading.replace(`import("./${file}")`, `readPart("./${part}.cjs")({ ${handed} })`)
    importing = importing.replace(`import("./${file}")`, `part_${part}({ ${handed} })`)
  }
  const imports = parts.map((part) => `import part_${part} from "./${part}.js";\n`)
  writeFileSync(join(folder, CORE), `${reading}${READ_PART}`)
  writeFileSync(join(folder, 'whole.js'), shrink(`${imports.join('')}${importing}`))
  const index = readFileSync(join(out, INDEX), 'utf8')
  for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.js')) letChoose(join(out, file))
  }
  for (const name of CHOSEN) {
    const text = readFileSync(join(folder, `${name}.js`), 'utf8')
    writeFileSync(join(folder, `whole-${name}.js`), shrink(text))
  }
  // To look up `#core` takes Node longer than to read this file.
  const shared = readFileSync(join(folder, 'shared.js'), 'utf8')
  writeFileSync(join(folder, 'shared.js'), shared.replaceAll('"#core"', '"./core.js"'))
  renameSync(join(out, INDEX), join(out, 'bundled.js'))
  writeFileSync(join(out, 'bundled.d.ts'), `export * from './${INDEX.replace('.js', '.ts')}'\n`)
  writeFileSync(join(out, INDEX), index) // To Node there is nothing to choose, and looking it up takes time.
}

/**
 * Names that are seen, of functions and classes, stay, and with `names` all do; with `lines` each statement has one, where
 * Node would show it beside an error.
 */
export function shrink(text, { module = true, lines = false, names = false } = {}) {
  const how = names ? { compress: false, mangle: false } : { mangle: { keepNames: true } }
  const { code, errors } = minifySync('part.js', text, { module, ...how })
  if (errors?.length > 0) throw new Error(errors[0].message)
  return lines ? inLines(code) : code
}

/** Every statement, and every member of a class, on a line of its own; those that import and export are written as people write them. */
function inLines(code) {
  const ends = new Set()
  const note = ({ body }) => {
    if (body.length > 0) ends.add(body[0].start)
    for (const { end } of body) ends.add(end)
  }
  const { program } = parseSync('part.js', code)
  note(program)
  new Visitor({ BlockStatement: note, ClassBody: note, StaticBlock: note }).visit(program)
  const places = [...ends].sort((one, other) => one - other)
  const lines = places.map((end, at) => code.slice(places[at - 1] ?? 0, end))
  return `${lines.map(spaced).join('\n')}\n${code.slice(places.at(-1) ?? 0)}`
}

function spaced(line) {
  return line.replace(
    /^(import|export)\{(.*)\}(?:from("[^"]*"))?;?$/,
    (_, word, names, from) =>
      `${word} { ${names.replaceAll(',', ', ')} }${from === undefined ? '' : ` from ${from}`};`,
  )
}

/** Which core it is is told by the conditions of package.json. */
function letChoose(file) {
  const text = readFileSync(file, 'utf8')
  const chosen = text.replace(/ (from |)"(?:\.\.?\/)+(?:parts\/)?(core|listening|shared)\.js"/g, ' $1"#$2"')
  if (chosen !== text) writeFileSync(file, chosen)
}

/** Who loads modules in a context of its own, as Vitest's vm pools do, has a `Promise` of its own: the part is evaluated there. */
const READ_PART = `
function readPart(file) {
	const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);
	const make = require(file);
	if (make instanceof Function) return make;
	const part = {};
	new Function("module", "require", process.getBuiltinModule("node:fs").readFileSync(require.resolve(file), "utf8"))(part, require);
	return part.exports;
}
`

const toImport = ([names, from]) => `import { ${names} } from "${from}";\n`
const toRequire = ([names, from]) => `const { ${names.replaceAll(' as ', ': ')} } = require("${from}");\n`

/** What a part imports of the core, as pairs of its name there and here; of Node; and the rest, as the body of a function. */
function takeApart(text) {
  let given = []
  const builtins = []
  const body = text
    .replace(/^import \{ (.*) \} from "(.*)";$/gm, (_, names, from) => {
      if (from === `./${CORE}`) given = names.split(', ').map((one) => one.split(' as '))
      else if (from.startsWith('node:')) builtins.push([names, from])
      else throw new Error(`a part imports ${from}`)
      return ''
    })
    .replace(/^export \{ (.*) \};\s*$/m, (_, names) => {
      const pairs = names.split(', ').map((one) => one.split(' as ').reverse().join(': '))
      return `return { ${pairs.join(', ')} };\n`
    })
  if (/^(import|export) /m.test(body)) throw new Error('a part is no function')
  return { given: given.map(([name, local = name]) => [name, local]), builtins, body }
}
