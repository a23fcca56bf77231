import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FAULTS, type FaultName, REVISIONS } from '../../src/kernel/index.ts'
import { REPLY_STATUS } from '../../src/transports/http/answers.ts'
import { REFUSED_STATUS } from '../../src/transports/http/guards/refused-call.ts'
import { readFaults, type SaidFault } from './read-faults.ts'

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'FAULTS.md')
const NAMES = Object.keys(FAULTS) as FaultName[]

/** A table of the page: what the code says stands on the left, why and what helps beside it. */
interface Table {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const said = readFaults()
const code = (text: string) => `\`${text}\``

const TABLES: readonly Table[] = [
  {
    title: 'Kinds',
    head: ['Name', 'Code', 'Unless it says more', 'HTTP', 'HTTP without sessions'],
    rows: NAMES.map((name) => [
      code(name),
      codesOf(name),
      FAULTS[name].message,
      String(REPLY_STATUS.get(FAULTS[name].code) ?? 200),
      String(REFUSED_STATUS[name] ?? REPLY_STATUS.get(FAULTS[name].code) ?? 200),
    ]),
  },
  { title: 'What they say', head: ['Words', 'Kind'], rows: rowsOf('fault', NAMES) },
  { title: 'Results of tools', head: ['Words', 'Marked'], rows: rowsOf('result') },
  { title: 'Before a call is read: HTTP', head: ['Words', 'Status'], rows: rowsOf('http') },
  { title: 'The console', head: ['Words', 'Status'], rows: rowsOf('console') },
]

/** A code, and which revision has another. */
function codesOf(name: FaultName): string {
  const others = REVISIONS.filter(({ codes }) => codes[name] !== undefined)
  const [first, last] = [others[0], others.at(-1)]
  if (first === undefined || last === undefined) return String(FAULTS[name].code)
  const span = first === last ? first.id : `${first.id} to ${last.id}`
  return `${FAULTS[name].code}, ${first.codes[name]} in ${span}`
}

function rowsOf(place: SaidFault['place'], order: readonly string[] = []): readonly (readonly string[])[] {
  return said
    .filter((one) => one.place === place)
    .toSorted(
      (one, other) =>
        order.indexOf(one.kind) - order.indexOf(other.kind) ||
        one.kind.localeCompare(other.kind) ||
        one.words.localeCompare(other.words),
    )
    .map(({ words, kind }) => [code(words), code(kind)])
}

/** The page with its tables made anew; why and what helps is kept from the rows of the same words. */
function written(page: string): string {
  return TABLES.reduce((text, { title, head, rows }) => {
    const [before = '', after = ''] = text.split(`\n## ${title}\n`)
    const table = after.split('\n').filter((line) => line.startsWith('|'))
    const kept = new Map(table.map(cellsOf).map((cells) => [cells.slice(0, 2).join(), cells.slice(-2)]))
    const lines = [
      [...head, 'Why', 'What helps'],
      [...head, '', ''].map(() => '---'),
      ...rows.map((row) => [...row, ...(kept.get(row.slice(0, 2).join()) ?? ['', ''])]),
    ].map((cells) => `| ${cells.join(' | ')} |`)
    const [whole = ''] = /(?:^\|.*\n)+/m.exec(after) ?? []
    return `${before}\n## ${title}\n${after.replace(whole, () => `${lines.join('\n')}\n`)}`
  }, page)
}

const cellsOf = (line: string) => line.slice(2, -2).split(' | ')

/** `npm run docs` adds what is missing, and leaves out what nobody says any more; why and what helps is for a person to write. */
it('has every fault of the code, and no other', () => {
  const page = readFileSync(PAGE, 'utf8')
  const anew = written(page)
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, anew)
  else expect(page).toBe(anew)
  expect(said.length).toBeGreaterThan(120)
})

it('says of each why it comes, and what helps', () => {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const silent = rows.map(cellsOf).filter((cells) => cells.slice(-2).some((cell) => cell.trim() === ''))
  expect(rows).toHaveLength(TABLES.reduce((sum, table) => sum + table.rows.length, 0))
  expect(silent.map(([words]) => words)).toEqual([])
})
