import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { compile } from '../../src/schema/json/index.ts'
import { type Case, type Draft, EDITION, MISSING, readCases, readRemotes } from './suite.ts'

if (MISSING !== undefined) console.warn(`!!! ${MISSING}`)

const known = readRemotes()

interface Result {
  readonly passed: number
  readonly total: number
  /** `file: case: test`. */
  readonly failed: readonly string[]
}

/** Holds every value of some cases against the schema of its case. */
function run(cases: readonly Case[], fits: (schema: unknown) => (value: unknown) => boolean): Result {
  const failed: string[] = []
  let total = 0
  for (const { file, description, schema, tests } of cases) {
    const check = orRefuse(() => fits(schema))
    for (const test of tests) {
      total += 1
      if (check?.(test.data) !== test.valid) failed.push(`${file}: ${description}: ${test.description}`)
    }
  }
  return { passed: total - failed.length, total, failed }
}

function orRefuse<Value>(make: () => Value): Value | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

function byThePort(formats: 'noted' | 'asserted') {
  return (schema: unknown) => compile(schema, { known, formats, maxParts: 3000, maxSteps: 1_000_000 }).fits
}

/** As an author has it: the schema is that of an argument. */
function byATool(schemas: { readonly [uri: string]: unknown }) {
  return (schema: unknown) => {
    const value = typeof schema === 'object' ? { $id: 'urn:example:case', ...schema } : schema
    const input = { type: 'object', properties: { value }, required: ['value'] }
    const tool = { name: 'take', input, run: () => 'fits' }
    const server = defineServer({ name: 'suite', version: '1', tools: [tool], schemas })
    const shape = server.tools.find('take')?.input
    return (one: unknown) => 'value' in ((shape?.read({ value: one }) ?? {}) as object) // JSON Schemas read at once.
  }
}

const DRAFTS: readonly Draft[] = ['draft2020-12', 'draft7']

function needSuite(context: TestContext): void {
  if (MISSING !== undefined) context.skip(MISSING)
}

describe.each(DRAFTS)('every required case of %s', (draft) => {
  const cases = readCases(draft, '')

  it('is passed', (context) => {
    needSuite(context)
    expect(run(cases, byThePort('noted')).failed).toEqual([])
  })

  it('is passed by an argument of a tool', (context) => {
    needSuite(context)
    expect(run(cases, byATool(Object.fromEntries(known))).failed).toEqual([])
  })

  it('that refers to nothing outside is passed by an argument of a tool with nothing handed in', (context) => {
    needSuite(context)
    const { failed, total } = run(cases, byATool({}))
    const files = new Set(failed.map((one) => one.split(':')[0]))
    expect([...files].filter((file) => !OUTSIDE.includes(String(file)))).toEqual([])
    expect(total - failed.length).toBeGreaterThan(total - 50)
  })
})

/** Files with cases that refer to schemas elsewhere. */
const OUTSIDE = ['dynamicRef.json', 'refRemote.json', 'vocabulary.json']

const DOCUMENT = join(import.meta.dirname, '../../docs/JSON-SCHEMA.md')

/** What of the optional suites is not passed is told to authors; `UPDATE_DOCS=1` writes it. */
it('passes what the documents say of the optional suites', (context) => {
  needSuite(context)
  const rows = DRAFTS.flatMap((draft) => [
    printRow(draft, 'required', run(readCases(draft, ''), byThePort('noted'))),
    printRow(draft, 'optional', run(readCases(draft, 'optional'), byThePort('noted'))),
    printRow(
      draft,
      'optional: formats, asserted',
      run(readCases(draft, 'optional/format'), byThePort('asserted')),
    ),
  ])
  const text = readFileSync(DOCUMENT, 'utf8')
  const head = `| draft | suite${EDITION === 'debian' ? ' of Debian' : ''} | passed | not passed |\n|---|---|---|---|\n`
  const [before = '', after = ''] = text.split(head)
  const written = `${before}${head}${after.replace(/^(?:\|.*\|\n)*/, () => `${rows.join('\n')}\n`)}`
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(DOCUMENT, written)
  else expect(text).toBe(written)
})

function printRow(draft: Draft, suite: string, { passed, total, failed }: Result): string {
  const counts = new Map<string, number>()
  for (const one of failed) {
    const file = one.slice(0, one.indexOf(':'))
    counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  const missing = [...counts].map(([file, count]) => `${file} ${count}`).join(', ')
  const name = draft === 'draft7' ? '07' : '2020-12'
  return `| ${name} | ${suite} | ${passed} of ${total} | ${missing || 'nothing'} |`
}
