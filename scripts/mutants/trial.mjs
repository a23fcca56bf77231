import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { STATE, TREE } from './places.mjs'

const RUNNER = join(import.meta.dirname, 'runner.mjs')
const BASELINE = join(STATE, 'baseline.json')
const SEEN = join(STATE, 'seen')

/** What one change may cost: tests beyond it are not run, and what only they would notice counts as survived. */
const PATIENCE_MS = 120_000
/** What it takes to read a test file, which is not in the times of its tests. */
const READING_MS = 300

let runner

/** Runs these test files, or all below some folders, with every change asleep, and remembers which test reaches which change. */
export async function baseline(files, below = ['']) {
  const before = files === undefined ? { results: [], broken: [], seen: [] } : readBaseline()
  const kept = (file) => !files?.includes(file)
  rmSync(SEEN, { force: true })
  tell({ awake: 0, recording: true, testTimeout: 60_000 })
  const asked = files?.map((file) => ({ file }))
  const told = await run({ files: asked, below, isolate: true, bail: 0 }, 7_200_000)
  if (told === undefined) throw new Error('the tests did not come to an end')
  const seen = existsSync(SEEN) ? readFileSync(SEEN, 'utf8').trim().split('\n') : []
  const all = {
    results: [...before.results.filter(({ file }) => kept(file)), ...told.results],
    broken: [...before.broken.filter(kept), ...told.broken],
    seen: [...before.seen.filter((line) => kept(line.split(' ')[1])), ...seen],
  }
  writeFileSync(BASELINE, JSON.stringify(all))
  end()
}

/** For each change the tests that reach it, by file, and what failed with all changes asleep. */
export function readReach() {
  const { results, broken, seen } = readBaseline()
  const good = results.filter(({ state, file }) => state === 'passed' && !broken.includes(file))
  const byFile = groupBy(good, ({ file }) => file)
  const failed = results.filter(({ state }) => state === 'failed').map(({ name, why }) => `${name}: ${why}`)
  const reach = new Map()
  for (const [id, lines] of groupBy(seen, (line) => Number(line.split(' ', 1)[0])))
    reach.set(id, reachOf(lines, byFile))
  return { reach, failed: [...failed, ...broken] }
}

function readBaseline() {
  return JSON.parse(readFileSync(BASELINE, 'utf8'))
}

/** A line without a test is of what goes on around the tests of a file, so that any of them may notice. */
function reachOf(lines, byFile) {
  const files = groupBy(lines, (line) => line.split(' ')[1])
  return [...files].flatMap(([file, of]) => {
    const tests = new Set(of.map((line) => line.split(' ')[2]))
    const reached = (byFile.get(file) ?? []).filter(({ id }) => tests.has(undefined) || tests.has(id))
    return reached.length === 0 ? [] : [{ file, tests: reached }]
  })
}

/** What fails while this change is awake and does not while it sleeps; undefined if nothing does. */
export async function wake(site, reached) {
  const files = affordable(reached.toSorted((one, other) => rank(one, site) - rank(other, site)))
  const tests = files.flatMap((one) => one.tests)
  const total = files.reduce((sum, one) => sum + costOf(one), 0)
  const slowest = Math.max(...tests.map(({ took }) => took))
  const testTimeout = Math.round(Math.max(15_000, 5 * slowest))
  tell({ awake: site.id, recording: false, testTimeout })
  const asked = files.map(({ file, tests }) => ({ file, tests: tests.map(({ id }) => id) }))
  const told = await run({ files: asked, isolate: false, bail: 1 }, 30_000 + testTimeout + 3 * total)
  if (told === undefined) return 'the tests did not come to an end'
  const failed = told.results.find(({ state }) => state === 'failed')
  if (failed === undefined) return told.broken[0] ?? told.strays[0]
  const { file, id } = failed
  tell({ awake: 0, recording: false, testTimeout })
  const asleep = await run({ files: [{ file, tests: [id] }], isolate: false, bail: 1 }, 30_000 + testTimeout)
  if (asleep?.results.some(({ state }) => state === 'failed')) {
    const others = reached.map((one) => ({ ...one, tests: one.tests.filter((test) => test.id !== id) }))
    return wake(
      site,
      others.filter((one) => one.tests.length > 0),
    )
  }
  return failed.name
}

/** What stands beside the change first, and then the quickest. */
function rank(one, site) {
  const near = one.file.startsWith(join(TREE, site.file.replace(/\.ts$/, ''))) ? 100 : 1
  return costOf(one) / near
}

function costOf({ tests }) {
  return tests.reduce((sum, { took }) => sum + took, READING_MS)
}

function affordable(files) {
  let spent = 0
  return files.filter((one, index) => {
    spent += costOf(one)
    return index === 0 || spent <= PATIENCE_MS
  })
}

function tell(state) {
  writeFileSync(join(STATE, 'state.json'), JSON.stringify(state))
  writeFileSync(join(STATE, 'now'), '')
}

/** Undefined if it took too long; what ran is ended then, with all that it started. */
async function run(request, patienceMs) {
  if (runner === undefined) {
    runner = fork(RUNNER, { cwd: TREE, detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    await once(runner, 'message')
  }
  const over = new AbortController()
  const clock = setTimeout(() => over.abort(), patienceMs)
  runner.send(request)
  try {
    const [told] = await Promise.race([
      once(runner, 'message', { signal: over.signal }),
      once(runner, 'exit', { signal: over.signal }).then(() => [undefined]),
    ])
    if (told === undefined) end()
    return told
  } catch {
    end()
  } finally {
    clearTimeout(clock)
    over.abort()
  }
}

/** Ends what runs the tests, and what they have started. */
export function end() {
  if (runner === undefined) return
  try {
    process.kill(-runner.pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
  runner = undefined
}

/** Node 20 has no Map.groupBy. */
function groupBy(items, keyOf) {
  const groups = new Map()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
