import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const DIST = join(import.meta.dirname, '..', '..', 'dist')

/** A name that a file of declarations passes on from another. */
export interface PassedOn {
  readonly name: string
  /** What it is called where it comes from. */
  readonly own: string
  readonly file: string
}

/** Where something is declared, and what stands before it and in it. */
export interface Declared {
  readonly name: string
  readonly file: string
  readonly before: string
  readonly text: string
}

/** What a file of declarations takes or passes on from others. */
export function passedOn(file: string, word: 'export' | 'import' = 'export'): readonly PassedOn[] {
  const text = readFileSync(file, 'utf8')
  const whole = [...text.matchAll(/^export type \* from '([^']+)';$/gm)].flatMap(([, from = '']) =>
    passedOn(join(dirname(file), from.replace(/\.ts$/, '.d.ts')), word),
  )
  const statements = new RegExp(`^${word} (?:type )?\\{([^}]*)\\} from '(\\.[^']+)';$`, 'gm')
  const each = [...text.matchAll(statements)].flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .filter((name) => name.trim() !== '')
      .map((name) => {
        const [own = '', given = own] = name
          .replace(/\btype\b/, '')
          .trim()
          .split(' as ')
        return { name: given, own, file: join(dirname(file), from.replace(/\.(js|ts)$/, '.d.ts')) }
      }),
  )
  return [...each, ...whole]
}

/** Follows a name to where it is declared. */
export function findDeclared(name: string, file: string): Declared {
  const text = readFileSync(file, 'utf8')
  const declared = new RegExp(
    `^(?:export )?(?:declare )?(?:abstract )?(?:function|class|interface|type|const) ${name}\\b`,
    'm',
  ).exec(text)
  if (declared !== null) {
    const rest = text.slice(declared.index)
    const end = rest.search(/\n(?=(?:export|declare|interface|type|\/\*\*)\b|\/\*\*)/)
    return { name, file, before: text.slice(0, declared.index), text: end < 0 ? rest : rest.slice(0, end) }
  }
  const passed = [...passedOn(file), ...passedOn(file, 'import')].find((one) => one.name === name)
  if (passed === undefined) throw new Error(`${name} is declared nowhere in ${file}`)
  return findDeclared(passed.own, passed.file)
}
