import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const DIST = join(import.meta.dirname, '..', '..', 'dist')

interface Exported {
  readonly name: string
  /** The declarations that it comes from. */
  readonly file: string
}

/** What a file of declarations passes on from others. */
function exportsOf(file: string): readonly Exported[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm)].flatMap(
    ([, names = '', from = '']) =>
      names
        .split(',')
        .filter((name) => name.trim() !== '')
        .map((name) => ({
          name: name.replace(/\btype\b/, '').trim(),
          file: join(dirname(file), from.replace(/\.(js|ts)$/, '.d.ts')),
        })),
  )
}

/** Follows a name to where it is declared; gives the text from the end of the declaration before it on. */
function declarationOf({ name, file }: Exported): string {
  const text = readFileSync(file, 'utf8')
  const declared = new RegExp(
    `^export (?:declare )?(?:function|class|interface|type|const) ${name}\\b`,
    'm',
  ).exec(text)
  if (declared !== null) return text.slice(0, declared.index)
  const passed = exportsOf(file).find((one) => one.name === name)
  if (passed === undefined) throw new Error(`${name} is declared nowhere`)
  return declarationOf(passed)
}

const exported = exportsOf(join(DIST, 'index.d.ts'))

it('finds what is exported', () => {
  expect(exported.length).toBeGreaterThan(60)
})

it.each(exported.map((one) => [one.name, one] as const))(
  '%s is explained where an editor shows it',
  (_name, one) => {
    expect(declarationOf(one).trimEnd()).toMatch(/\*\/$/)
  },
)
