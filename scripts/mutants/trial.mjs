import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { STATE, TREE } from './places.mjs'
import { forgetSeen, groupBy, remember } from './reach.mjs'

const RUNNER = join(import.meta.dirname, 'runner.mjs')

/**
 * What the tests of one trial may take together: a few first, since most changes are noticed by these. Those beyond the
 * last are not run, and what only they would notice counts as survived.
 */
const ROUNDS_MS = [3_000, 15_000, 45_000]
/** What it takes to read a test file, which is not in the times of its tests. */
const READING_MS = 200

let runner

/** Runs these test files, or all below some folders, with every change asleep, and remembers which test reaches which change. */
export async function baseline({ files, below, count }) {
  forgetSeen()
  tell({ awake: 0, recording: true, count, testTimeout: 60_000 })
  const asked = files?.map((file) => ({ file }))
  const told = await run({ files: asked, below, recording: true, bail: 0 }, 7_200_000)
  if (told === undefined) throw new Error('the tests did not come to an end')
  end()
  remember(told)
}

/** What fails while this change is awake, as { test } or { why }; undefined if nothing does. */
export async function wake(site, tests) {
  const ranked = tests.map((test) => ({ test, rank: rank(test, site) }))
  ranked.sort((one, other) => one.rank - other.rank)
  let rest = ranked.map(({ test }) => test)
  for (const patience of ROUNDS_MS) {
    const chosen = affordable(rest, patience)
    if (chosen.length === 0) return undefined
    const failed = await attempt(site.id, chosen)
    if (failed !== undefined) return failed
    const tried = new Set(chosen)
    rest = rest.filter((test) => !tried.has(test))
  }
}

/** Those of these tests that fail while every change is asleep, so that they say nothing about one that is awake. */
export async function findUnsteady(tests) {
  if (tests.length === 0) return []
  const told = await tryAll(0, tests, 0)
  if (told === undefined) return tests
  const failed = new Set(told.results.filter(({ state }) => state === 'failed').map(nameOf))
  return tests.filter((test) => failed.has(nameOf(test)) || told.broken.includes(test.file))
}

export const nameOf = ({ file, id }) => `${file} ${id}`

async function attempt(id, tests) {
  const told = await tryAll(id, tests, 1)
  const failed = told?.results.find(({ state }) => state === 'failed')
  if (failed !== undefined) return { test: failed }
  const why = told === undefined ? 'the tests did not come to an end' : (told.broken[0] ?? told.strays[0])
  if (why === undefined) return undefined
  const asleep = await tryAll(0, tests, 1)
  return asleep === undefined || asleep.broken.length + asleep.strays.length > 0 ? undefined : { why }
}

function tryAll(awake, tests, bail) {
  const slowest = Math.max(...tests.map(({ took }) => took))
  const testTimeout = Math.round(Math.max(10_000, 5 * slowest))
  tell({ awake, recording: false, count: 0, testTimeout })
  const files = [...groupBy(tests, ({ file }) => file)].map(([file, of]) => ({
    file,
    tests: of.map(({ id }) => id),
  }))
  return run({ files, bail }, 30_000 + testTimeout + 3 * costOf(tests))
}

/** What stands beside the change first, then what has its name, then the quick ones that reach little else. */
function rank({ file, took, breadth, reaches }, site) {
  const beside = file.startsWith(join(TREE, site.file.replace(/\.ts$/, '.')))
  const named = relative(TREE, file).includes(basename(site.file, '.ts'))
  const uses = !site.early || site.siblings.some((id) => reaches[id] === 1)
  return (took + 20) * (breadth + 20) * (beside ? 1e-6 : named ? 1e-2 : 1) * (uses ? 1 : 5)
}

function costOf(tests) {
  const files = new Set(tests.map(({ file }) => file))
  return tests.reduce((sum, { took }) => sum + took, files.size * READING_MS)
}

function affordable(tests, patience) {
  const files = new Set()
  let spent = 0
  return tests.filter(({ file, took }, index) => {
    const cost = took + (files.has(file) ? 0 : READING_MS)
    if (index > 0 && spent + cost > patience) return false
    spent += cost
    files.add(file)
    return true
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
