import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../outside.mjs'
import { HOME, STATE, TREE } from './places.mjs'

const SITES = join(STATE, 'sites.json')

/** A copy of the tree that holds every change of the sample, asleep. */
export function plant(sites) {
  rmSync(HOME, { recursive: true, force: true })
  mkdirSync(TREE, { recursive: true })
  mkdirSync(STATE, { recursive: true })
  for (const file of tracked()) copy(file)
  symlinkSync(join(ROOT, 'node_modules'), join(TREE, 'node_modules'))
  const shared = join(ROOT, '..', 'shared')
  if (existsSync(shared)) symlinkSync(shared, join(HOME, 'shared'))
  for (const file of new Set(sites.map((site) => site.file))) {
    const path = join(TREE, file)
    const own = sites.filter((site) => site.file === file)
    writeFileSync(path, `${rewrite(readFileSync(path, 'utf8'), own)}\n${WAKING}`)
  }
  writeFileSync(SITES, JSON.stringify(sites))
  writeFileSync(join(TREE, 'mutants.setup.mjs'), SETUP)
  execFileSync('node', ['scripts/bundle.mjs'], { cwd: TREE, stdio: 'inherit' })
  execFileSync('node', ['scripts/console.mjs'], { cwd: TREE, stdio: 'inherit' })
}

/** The changes that stand in the copy. */
export function readSites() {
  return JSON.parse(readFileSync(SITES, 'utf8'))
}

/** Brings tests that have changed to the copy, and gives their names. */
export function refresh() {
  const changed = tracked().filter((file) => /\.test\.ts$|^test\//.test(file) && differs(file))
  for (const file of changed) copy(file)
  return changed.filter((file) => file.endsWith('.test.ts'))
}

function differs(file) {
  const there = join(TREE, file)
  return !existsSync(there) || !readFileSync(there).equals(readFileSync(join(ROOT, file)))
}

function copy(file) {
  mkdirSync(dirname(join(TREE, file)), { recursive: true })
  cpSync(join(ROOT, file), join(TREE, file))
}

function tracked() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)))
}

/** The text with every change in its place; changes may stand inside each other. */
function rewrite(text, sites) {
  const ordered = sites.toSorted((one, other) => one.start - other.start || other.end - one.end)
  const render = (start, end, within) => {
    let out = ''
    let at = start
    for (let place = 0; place < within.length; ) {
      const site = within[place]
      const inside = within.slice(place + 1).filter((other) => other.start < site.end)
      out += text.slice(at, site.start)
      out += site.change(site.id, (node) => render(node.start, node.end, between(inside, node)))
      at = site.end
      place += 1 + inside.length
    }
    return out + text.slice(at, end)
  }
  return render(0, text.length, ordered)
}

function between(sites, { start, end }) {
  return sites.filter((site) => site.start >= start && site.end <= end)
}

/** Which change is awake stands in a file, where processes that tests start find it, too, whatever they inherit. */
const WAKING = `
/** A line that began with a parenthesis would belong to the one before it. */
function __v(value) {
  return value
}
function __m(id) {
  const mutants = (globalThis.__mutants ??= __readMutants())
  if (mutants.seen !== undefined && !mutants.seen.has(id)) {
    mutants.seen.add(id)
    mutants.fs.appendFileSync(${JSON.stringify(join(STATE, 'seen'))}, id + ' ' + mutants.now + '\\n')
  }
  return mutants.awake === id
}
function __readMutants() {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs')
  if (fs === undefined) return { awake: 0 }
  const state = JSON.parse(fs.readFileSync(${JSON.stringify(join(STATE, 'state.json'))}, 'utf8'))
  const now = fs.readFileSync(${JSON.stringify(join(STATE, 'now'))}, 'utf8')
  return { awake: state.awake, seen: state.recording ? new Set() : undefined, now, fs }
}
`

/** Tells what runs which test it runs for, if that is asked, and gives no test more time than the trial has. */
const SETUP = `
import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, vi } from 'vitest'

const { awake, recording, testTimeout } = JSON.parse(readFileSync(${JSON.stringify(join(STATE, 'state.json'))}, 'utf8'))
const file = globalThis.__vitest_worker__.filepath
const at = (now) => {
  writeFileSync(${JSON.stringify(join(STATE, 'now'))}, now)
  globalThis.__mutants = { awake, now, seen: new Set(), fs: process.getBuiltinModule('node:fs') }
}

vi.setConfig({ testTimeout, hookTimeout: testTimeout })
if (recording) {
  at(file)
  beforeEach(({ task }) => at(file + ' ' + task.id))
  afterEach(() => at(file))
} else globalThis.__mutants ??= { awake }
`
