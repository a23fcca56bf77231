import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DIST, findDeclared, passedOn } from './declared.ts'

const INDEX = join(DIST, 'index.d.ts')
const exported = passedOn(INDEX).map(({ own, file }) => findDeclared(own, file))
const ofTheClient = passedOn(join(DIST, 'client', 'index.d.ts')).map(({ own, file }) =>
  findDeclared(own, file),
)
const known = new Set([...exported, ...ofTheClient].map(({ name, file }) => `${name} ${file}`))

/** What the types of definitions are made of: the compiler works it out, and nobody has a reason to name it. */
const MACHINERY = new Set(
  'Returned Literals Open OfZod Chosen FromChosen Plain FromType FromArray FromObject Flat VariablesNamed BlockBase BurstOptions Named Kind EventFrom PageAnswer'.split(
    ' ',
  ),
)

/** The names in a declaration that stand for types of ours. */
function namedIn(text: string, file: string): readonly string[] {
  const whole = readFileSync(file, 'utf8')
  const bare = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/'[^'\n]*'|`[^`]*`/g, '')
    .replaceAll(/^\s*(?:readonly|private|static) #?\w+\??:/gm, ':')
  const names = new Set([...bare.matchAll(/(?<![.\w#])[A-Z]\w*(?![\w]*\??:)/g)].map(([name]) => name))
  return [...names].filter((name) =>
    new RegExp(
      `^(?:export )?(?:declare )?(?:class|interface|type) ${name}\\b|^import [^;]*\\b${name}\\b[^;]* from '\\.`,
      'm',
    ).test(whole),
  )
}

it('every type that stands in what can be imported can be imported, too', () => {
  const missing = exported.flatMap(({ name, file, text }) =>
    namedIn(text, file)
      .map((one) => findDeclared(one, file))
      .filter((one) => !MACHINERY.has(one.name) && !known.has(`${one.name} ${one.file}`))
      .map((one) => `${one.name} (in ${name}, ${one.file.slice(DIST.length + 1)})`),
  )
  expect([...new Set(missing)]).toEqual([])
})
