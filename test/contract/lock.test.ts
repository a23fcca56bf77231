import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compareLocks } from '../../src/contract/lock/compare.ts'
import { type ListedOffers, makeLock, parseLock, printLock } from '../../src/contract/lock/lock.ts'
import type { JsonObject } from '../../src/kernel/index.ts'
import { PLANTED, type Planted } from './planted.ts'

const NOTHING: ListedOffers = { tools: [], prompts: [], resources: [], templates: [] }

function verdictOf({ section, before, after }: Planted): string {
  const [change] = compareLocks(
    makeLock({ ...NOTHING, [section]: before }),
    makeLock({ ...NOTHING, [section]: after }),
  )
  return change?.verdict ?? 'none'
}

it.each(PLANTED.map((planted) => [planted.change, planted] as const))('%s', (_, planted) => {
  expect(verdictOf(planted)).toBe(planted.verdict)
})

it('is told of forty changes, half of them within schemas', () => {
  expect(PLANTED).toHaveLength(40)
  expect(PLANTED.filter(({ nested }) => nested)).toHaveLength(20)
})

it('says of an argument that is new and required that it is required, and nothing else', () => {
  const tool = (inputSchema: object) => ({ name: 'a', inputSchema: { type: 'object', ...inputSchema } })
  const changes = compareLocks(
    makeLock({ ...NOTHING, tools: [tool({})] }),
    makeLock({ ...NOTHING, tools: [tool({ properties: { b: { type: 'string' } }, required: ['b'] })] }),
  )
  expect(changes.map(({ words }) => words)).toEqual(['input.b became required'])
})

const OPEN = { additionalProperties: true }
const TEXT = { type: 'string' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const anything = (inside: object) => ({
  anyOf: [{ type: ['null', 'boolean', 'number', 'string', 'array'] }, object(inside)],
})

it.each([
  [
    'an argument more, where others were let be anything',
    object({ a: TEXT }, OPEN),
    object({ a: TEXT, b: TEXT }, OPEN),
    'compatible',
  ],
  [
    'nothing else, where others were let be anything',
    object({ a: TEXT }, OPEN),
    object({ a: TEXT }, { additionalProperties: false }),
    'wording',
  ],
  [
    'that others may be anything, said and not said',
    object({ a: TEXT }, OPEN),
    object({ a: TEXT }),
    'wording',
  ],
  [
    'an argument less, where others are let be anything',
    object({ a: TEXT, b: TEXT }),
    object({ a: TEXT }, OPEN),
    'breaking',
  ],
  ['names within what could be anything', object({ a: {} }), object({ a: anything({ b: TEXT }) }), 'wording'],
  [
    'an object, where it could be anything',
    object({ a: true }),
    object({ a: object({ b: TEXT }) }),
    'breaking',
  ],
  [
    'a map of anything that became one of texts',
    { type: 'object', ...OPEN },
    { type: 'object', additionalProperties: TEXT },
    'breaking',
  ],
  [
    'a map of texts with a name that is no text',
    { type: 'object', additionalProperties: TEXT },
    object({ a: { type: 'number' } }, { additionalProperties: TEXT }),
    'breaking',
  ],
])('what the older schema did not name counts as never sent: %s', (_change, before, after, verdict) => {
  const tool = (inputSchema: JsonObject) => [{ name: 'a', inputSchema }]
  expect(
    verdictOf({ change: '', verdict: 'none', section: 'tools', before: tool(before), after: tool(after) }),
  ).toBe(verdict)
})

it.each([
  [
    'others may be given where there were none',
    object({ a: TEXT }, { additionalProperties: false }),
    object({ a: TEXT }),
    'breaking',
  ],
  [
    'the same, in so many words',
    object({ a: TEXT }, { additionalProperties: false }),
    object({ a: TEXT }, OPEN),
    'breaking',
  ],
  [
    'none are given where there may have been others',
    object({ a: TEXT }, OPEN),
    object({ a: TEXT }, { additionalProperties: false }),
    'compatible',
  ],
])('that there is nothing else is a promise of an output: %s', (_change, before, after, verdict) => {
  const tool = (outputSchema: JsonObject) => [{ name: 'a', inputSchema: { type: 'object' }, outputSchema }]
  expect(
    verdictOf({ change: '', verdict: 'none', section: 'tools', before: tool(before), after: tool(after) }),
  ).toBe(verdict)
})

it('is the same after it was written and read', () => {
  const lock = makeLock({
    ...NOTHING,
    tools: PLANTED.filter(({ section }) => section === 'tools').flatMap(({ after }) => after),
  })
  expect(parseLock(printLock(lock))).toMatchObject(lock)
})

it.each([
  ['{', /it is no JSON/],
  ['[]', /expected an object with tools, prompts, resources, templates/],
  [
    printLock(makeLock(NOTHING)).replace('"perigee": 1', '"perigee": 9'),
    /format 9, and this version knows 1/,
  ],
  [
    printLock(makeLock({ ...NOTHING, tools: [{ name: 'add', inputSchema: {} }] })).replace(
      '"inputSchema": {}',
      '"inputSchema": {"type":"object"}',
    ),
    /tools: add has been changed by hand/,
  ],
  [
    printLock(makeLock(NOTHING)).replace(/"hash": "sha256:..../, '"hash": "sha256:0000'),
    /it has been changed by hand: the hash of all is another/,
  ],
])('says what is wrong with a file that is no lock', (text, words) => {
  expect(() => parseLock(text)).toThrow(words)
})

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'LOCK.md')

it('the page tells what was told of each, beside what a comparison of texts tells', () => {
  const rows = PLANTED.map((planted) => {
    const [before, after] = [planted.before, planted.after].map((list) => JSON.stringify(list))
    return `| ${planted.change} | ${verdictOf(planted)} | ${before === after ? 'the same' : 'changed'} |`
  })
  const text = readFileSync(PAGE, 'utf8')
  const table = /(?<=\| Change \| Verdict \| Text \|\n\|---\|---\|---\|\n)(?:\|.*\|\n?)*/
  expect(text).toMatch(table)
  const written = text.replace(table, `${rows.join('\n')}\n`)
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, written)
  else expect(text).toBe(written)
})
