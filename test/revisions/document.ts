import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REVISIONS } from '../../src/kernel/revisions/index.ts'
import type { Revision } from '../../src/kernel/revisions/revision.ts'
import { type Way, waysOf } from './ways.ts'

/** What was answered with a result: the methods, and the questions, by revision and way. */
export class Proofs {
  readonly #proved = new Map<string, Set<Way>>()

  add(revision: Revision, way: Way, method: string): void {
    const key = `${revision.id} ${method}`
    this.#proved.set(key, (this.#proved.get(key) ?? new Set()).add(way))
  }

  has(revision: Revision, way: Way, method: string): boolean {
    return this.#proved.get(`${revision.id} ${method}`)?.has(way) ?? false
  }

  methodsOf({ id }: Revision): readonly string[] {
    return [...this.#proved.keys()].filter((key) => key.startsWith(id)).map((key) => key.slice(id.length + 1))
  }
}

const WAYS: Record<Way, string> = {
  memory: 'memory',
  stdio: 'stdio',
  'post-only': 'HTTP, one POST a request',
  streamable: 'HTTP, sessions',
  'sse-pair': 'HTTP, a stream and POSTs',
}

export function printDocument(proofs: Proofs): string {
  return [
    '<!-- Written by test/revisions/revisions.test.ts; after a change: npm run docs -->',
    '',
    '# Revisions',
    '',
    'What each revision of the protocol is to Perigee, and what has been proved of it. Both are read off the code and off',
    'its answers whenever the tests run, and the tests fail when this page says something else.',
    '',
    '## Facts',
    '',
    'Code asks for these facts and never for a date (`src/kernel/revisions/`). An empty cell is as the one before it;',
    '`+` and `−` tell what was added to a list and what was taken out of it.',
    '',
    ...printFacts(),
    '',
    '## Answers',
    '',
    'Every method a client may call, sent over every transport the revision travels by: ✓ where the answer was a result.',
    'Methods in italics come from extensions. Below the line is what servers ask clients: ✓ where the client was asked,',
    'answered, and the call came to its result. How each of them behaves is told by `test/transcripts/`.',
    ...REVISIONS.flatMap((revision) => ['', `### ${revision.id}`, '', ...printProofs(revision, proofs)]),
    '',
  ].join('\n')
}

function printProofs(revision: Revision, proofs: Proofs): readonly string[] {
  const ways = waysOf(revision)
  const line = (method: string) => [
    nameOf(revision, method),
    ...ways.map((way) => (proofs.has(revision, way, method) ? '✓' : '')),
  ]
  const methods = proofs.methodsOf(revision).filter((method) => !revision.questions.includes(method))
  const rule = ['—', ...ways.map(() => '')]
  return printTable(
    ['', ...ways.map((way) => WAYS[way])],
    [...methods.map(line), rule, ...revision.questions.map(line)],
  )
}

function nameOf({ requests, questions }: Revision, method: string): string {
  return [...requests, ...questions].includes(method) ? `\`${method}\`` : `*\`${method}\`*`
}

type Fact = (revision: Revision) => unknown

function printFacts(): readonly string[] {
  const meanings = readMeanings()
  const rows = Object.keys(REVISIONS[0] ?? {})
    .filter((member) => member !== 'id')
    .flatMap((member) => factsOf(member))
    .map(([name, fact]) => [`\`${name}\``, ...printValues(fact), meanings.get(name) ?? ''])
  return printTable(['', ...REVISIONS.map(({ id }) => id), ''], rows)
}

/** A member is one row, but for the fields of what is listed, which are a row each. */
function factsOf(member: string): readonly (readonly [name: string, fact: Fact])[] {
  const read = (revision: Revision) => revision[member as keyof Revision] // It is a key of the first revision.
  if (member !== 'fields') return [[member, read]]
  const kinds = Object.keys(REVISIONS[0]?.fields ?? {}) as (keyof Revision['fields'])[]
  return kinds.map((kind) => [`fields.${kind}`, ({ fields }) => fields[kind]])
}

function printValues(fact: Fact): readonly string[] {
  return REVISIONS.map((revision, index) => {
    const before = REVISIONS[index - 1]
    return before === undefined ? printValue(fact(revision)) : printChange(fact(before), fact(revision))
  })
}

function printChange(before: unknown, now: unknown): string {
  if (!Array.isArray(before) || !Array.isArray(now)) {
    const [was, is] = [printValue(before), printValue(now)]
    return was === is ? '' : is
  }
  const added = now.filter((one) => !before.includes(one)).map((one) => `+ ${one}`)
  const removed = before.filter((one) => !now.includes(one)).map((one) => `− ${one}`)
  return [...added, ...removed].join('<br>')
}

function printValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join('<br>')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === undefined) return 'left out'
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, code]) => `${name} ${code}`)
    .join('<br>')
}

/** What the members mean, in the words of the comments above them. */
function readMeanings(): ReadonlyMap<string, string> {
  const file = join(import.meta.dirname, '..', '..', 'src', 'kernel', 'revisions', 'revision.ts')
  const found = readFileSync(file, 'utf8').matchAll(/\/\*\* (.*) \*\/\n {2}readonly (\w+):/g)
  return new Map([...found].map(([, meaning = '', name = '']) => [name, meaning]))
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const rule = head.map(() => '---')
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`)
}
