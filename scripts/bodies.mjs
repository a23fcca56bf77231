// V8 keeps what it has compiled of a script, and of a module only where Node offers that. So what a start reads most of
// is for Node a script, the body, in the hands of a small module, the shell, which imports and exports for it.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { minifySync, transformSync } from 'rolldown/utils'

const CORE = 'core.js'
const LISTENING = 'listening.js'
/** Names that nobody else gives. */
const [IMPORT, HERE, TELL, GIVE] = ['$import', '$here', '$tell', '$give']

/** Makes of a module in the folder `parts` a shell of its name, and a body beside it. */
export function takeBodyOut(root, file) {
  const folder = join(root, 'dist', 'parts')
  const doors = doorsIn(folder)
  const whole = doors.reduce(
    (text, door) => text.replaceAll(`import("./${door.file}")`, `import("./${LISTENING}")`),
    readFileSync(join(folder, file), 'utf8'),
  )
  const { imports, exported: own, body } = takeApart(whole)
  const localOf = (wanted) => own.find(([, name]) => name === wanted)?.[0]
  const passed = doors.flatMap(({ pairs }) => pairs.map(([name, as]) => [localOf(name), as]))
  const exported = file === LISTENING ? [...own, ...passed] : own
  const given = imports.flatMap(({ pairs }) => pairs.map(([, local]) => local))
  const text = `(function (${[IMPORT, HERE, TELL, ...given]}) {
"use strict";
${body.trim()}
const ${GIVE} = () => ${TELL}(${exported.map(([local]) => local)});
${GIVE}();
})
`
  new Script(text) // Whatever a script may not say is told now, and not at the first start.
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const bodyFile = `${file.replace('.js', '')}-${hash}.js`
  writeFileSync(join(folder, bodyFile), text)
  const runner = file === CORE ? printRunner(root) : `import { runBody } from "./${CORE}";\n`
  writeFileSync(join(folder, file), `${runner}${printShell({ bodyFile, imports, exported })}`)
}

/** Files that only pass on what listens: the core goes past them, since Node takes 2 ms to look up where they lead. */
function doorsIn(folder) {
  return readdirSync(folder).flatMap((file) => {
    const [, names] =
      /^export \{ (.*) \} from "#listening";\s*$/.exec(readFileSync(join(folder, file), 'utf8')) ?? []
    return names === undefined ? [] : [{ file, pairs: pairsIn(names) }]
  })
}

/** What a module imports and exports, and the rest. What a part puts in the place of stubs is told once more. */
function takeApart(text) {
  const imports = []
  let exported = []
  const body = text
    .replace(/^import \{ (.*) \} from "(.*)";$/gm, (_, names, from) => {
      if (from.startsWith('node:')) return `const { ${names.replaceAll(' as ', ': ')} } = ${builtin(from)};`
      imports.push({ from, pairs: pairsIn(names) })
      return ''
    })
    .replace(/^export \{ (.*) \};$/m, (_, names) => {
      exported = pairsIn(names)
      return ''
    })
    .replaceAll('import.meta.url', HERE)
    .replace(/\bimport\(/g, `${IMPORT}(`)
    .replace(/^\(\{.*\}=readPart\(.*\);$/gm, (line) => `${line}${GIVE}();`)
  return { imports, exported, body }
}

/** A shell is for Node alone, to which there is nothing to choose. */
const byPath = (from) => from.replace(/^#(\w+)$/, './$1.js')

/** For what is imported of it Node makes a module around each part of its own, which takes 1.5 ms for `node:fs`. */
const builtin = (name) => `process.getBuiltinModule("${name}")`

const pairsIn = (names) =>
  names
    .split(', ')
    .map((one) => one.split(' as '))
    .map(([name, as = name]) => [name, as])

/** Exports are variables of their own names, but for `in` and its like, which can be names of exports only. */
function printShell({ bodyFile, imports, exported }) {
  let count = 0
  const taken = imports.map(({ from, pairs }) => {
    const names = pairs.map(([name]) => `${name} as given${count++}`)
    return `import { ${names} } from "${byPath(from)}";\n`
  })
  const names = exported.map(([, name]) => name)
  const variables = names.map((name) => (isReserved(name) ? `_${name}_` : name))
  const renamed = names.filter(isReserved).map((name) => `let _${name}_; export { _${name}_ as ${name} };\n`)
  const given = Array.from({ length: count }, (_, at) => `given${at}`)
  return `${taken.join('')}${renamed.join('')}export let ${names.filter((name) => !isReserved(name))};
runBody(new URL("./${bodyFile}", import.meta.url))(${[
    '(file) => import(file)',
    'import.meta.url',
    `(...told) => { [${variables}] = told }`,
    ...given,
  ].join(', ')});
`
}

function isReserved(name) {
  try {
    new Script(`"use strict"; let ${name}`)
    return false
  } catch {
    return true
  }
}

/** The core's shell has the runner in it, for one file less at every start, and the other shells take it from there. */
function printRunner(root) {
  const source = readFileSync(join(root, 'src', 'process', 'run-body.ts'), 'utf8')
  const { code } = transformSync('run-body.ts', source)
  const moved = code.replace('./keep-compiled.ts', '../process/keep-compiled.js')
  return `${minifySync('run-body.js', moved, { module: true, mangle: false }).code}\n`
}
