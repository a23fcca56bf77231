import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { STATE, TREE } from './places.mjs'

const BASELINE = join(STATE, 'baseline.json')
const REACHED = join(STATE, 'reached')
const SEEN = join(STATE, 'seen')

/** What compares a page with what the tests before it have found fails without them, whatever is awake. */
const TOGETHER = /is what docs\/REVISIONS\.md says/

export function forgetSeen() {
  rmSync(SEEN, { force: true })
}

/** What a run with every change asleep has told, in the place of what was known of the same files. */
export function remember({ results, broken, imports }) {
  const before = existsSync(BASELINE) ? readBaseline() : { results: [], broken: [], imports: {} }
  const anew = new Set([...results.map(({ file }) => file), ...broken])
  const kept = (file) => !anew.has(file) && existsSync(file)
  const all = {
    results: [...before.results.filter(({ file }) => kept(file)), ...results],
    broken: [...before.broken.filter(kept), ...broken],
    imports: { ...before.imports, ...imports },
  }
  writeFileSync(BASELINE, JSON.stringify(all))
  const lines = [...linesOf(REACHED).filter((line) => kept(line.split(' ', 1)[0])), ...linesOf(SEEN)]
  writeFileSync(REACHED, `${lines.join('\n')}\n`)
}

/** The tests, with `reaches`, which has a 1 for each change that one reaches, and `breadth`, how many these are; `failed` is what did so with all changes asleep. */
export function readReach(sites) {
  const { results, broken, imports } = readBaseline()
  const good = results.filter(
    ({ state, file, name }) => state === 'passed' && !broken.includes(file) && !TOGETHER.test(name),
  )
  const tests = good.map((test) => ({ ...test, reaches: new Uint8Array(sites.length + 1), breadth: 0 }))
  const byFile = groupBy(tests, ({ file }) => file)
  markSeen(tests, byFile)
  for (const test of tests) test.breadth = test.reaches.reduce((sum, one) => sum + one, 0)
  markEarly(sites, byFile, imports)
  const failed = results.filter(({ state }) => state === 'failed').map(({ name, why }) => `${name}: ${why}`)
  return { tests, failed: [...failed, ...broken] }
}

/** What goes on around the tests of a file may be noticed by any of them. */
function markSeen(tests, byFile) {
  const byName = new Map(tests.map((test) => [`${test.file} ${test.id}`, test]))
  for (const line of linesOf(REACHED)) {
    const [file, id, ...seen] = line.split(' ')
    const one = byName.get(`${file} ${id}`)
    for (const test of id === '-' ? (byFile.get(file) ?? []) : one === undefined ? [] : [one])
      for (const site of seen) test.reaches[Number(site)] = 1
  }
}

/** What runs when a file is read runs once for all tests of a thread, so that it is known by who imports it. */
function markEarly(sites, byFile, imports) {
  const early = groupBy(
    sites.filter((site) => site.early),
    ({ file }) => join(TREE, file),
  )
  for (const [file, tests] of byFile) {
    const ids = (imports[file] ?? []).flatMap((source) => early.get(source) ?? []).map(({ id }) => id)
    for (const test of tests) for (const id of ids) test.reaches[id] = 1
  }
}

function readBaseline() {
  return JSON.parse(readFileSync(BASELINE, 'utf8'))
}

function linesOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

/** Node 20 has no Map.groupBy. */
export function groupBy(items, keyOf) {
  const groups = new Map()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
