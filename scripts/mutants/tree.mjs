import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../outside.mjs'
import { HOME, STATE, TREE } from './places.mjs'

const SITES = join(STATE, 'sites.json')

/** A copy of the tree that holds every change, asleep. */
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
  writeFileSync(join(STATE, 'state.json'), JSON.stringify({ awake: 0 })) // The build starts what it has built.
  execFileSync('node', ['scripts/bundle.mjs'], { cwd: TREE, stdio: 'inherit' })
  execFileSync('node', ['scripts/console.mjs'], { cwd: TREE, stdio: 'inherit' })
}

/** The changes that stand in the copy. */
export function readSites() {
  return JSON.parse(readFileSync(SITES, 'utf8'))
}

/** Brings what tests have that has changed to the copy, of the tests themselves those below some folders, and gives their names. */
export function refresh(below) {
  const isTest = (file) => file.endsWith('.test.ts')
  const isWanted = (file) =>
    isTest(file) ? below.some((folder) => file.startsWith(folder)) : file.startsWith('test/')
  const changed = tracked().filter((file) => isWanted(file) && differs(file))
  for (const file of changed) copy(file)
  return changed.filter(isTest)
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

const inState = (name) => JSON.stringify(join(STATE, name))

/** Which change is awake stands in a file, where processes that tests start find it, too, whatever they inherit. */
const WAKING = `
/** A line that began with a parenthesis would belong to the one before it. */
function __v(value) {
  return value
}
/** Known from the first line on, unlike what is declared by let. */
var __mutants, __kept
function __m(id) {
  __mutants ??= globalThis.__mutants ??= __readMutants()
  if (__mutants.seen !== undefined && __mutants.seen[id] === 0) {
    __mutants.seen[id] = 1
    __mutants.tell?.(id)
  }
  return __mutants.awake === id
}
function __b(awake, operator, a, b) {
  switch (operator) {
    case '<': return awake ? a <= b : a < b
    case '<=': return awake ? a < b : a <= b
    case '>': return awake ? a >= b : a > b
    case '>=': return awake ? a > b : a >= b
    case '===': return (a === b) !== awake
    case '!==': return (a !== b) !== awake
    case '-': return awake ? a + b : a - b
    case '*': return awake ? a / b : a * b
  }
}
/** Whether what stands on the right is looked at; if not, what stood on the left is kept. */
function __l(awake, operator, left) {
  __kept = left
  if (operator === '??') return !awake && (left === undefined || left === null)
  return awake !== ((operator === '&&') === !!left)
}
function __a(awake, value) {
  __kept = value
  return awake
}
function __k() {
  const value = __kept
  __kept = undefined
  return value
}
function __readMutants() {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs')
  if (fs === undefined) return { awake: 0 }
  const { awake, recording, count } = JSON.parse(fs.readFileSync(${inState('state.json')}, 'utf8'))
  if (!recording) return { awake }
  const now = fs.readFileSync(${inState('now')}, 'utf8')
  const tell = (id) => fs.appendFileSync(${inState('seen')}, now + ' ' + id + '\\n')
  return { awake, seen: new Uint8Array(count + 1), tell }
}
`

/** Tells what runs which test it runs for, if that is asked, and gives no test more time than the trial has. */
const SETUP = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, vi } from 'vitest'

const { awake, recording, count, testTimeout } = JSON.parse(readFileSync(${inState('state.json')}, 'utf8'))
const file = globalThis.__vitest_worker__.filepath
const mutants = (globalThis.__mutants ??= {})
const running = new Set()

function flush() {
  const ids = []
  for (let id = mutants.seen.indexOf(1); id > 0; id = mutants.seen.indexOf(1, id + 1)) ids.push(id)
  if (ids.length > 0 && mutants.now !== undefined)
    appendFileSync(${inState('seen')}, mutants.now + ' ' + ids.join(' ') + '\\n')
  mutants.seen.fill(0)
}
function at(test) {
  flush()
  mutants.now = file + ' ' + test
  writeFileSync(${inState('now')}, mutants.now)
}

vi.setConfig({ testTimeout, hookTimeout: testTimeout })
mutants.awake = awake
if (recording) {
  mutants.seen ??= new Uint8Array(count + 1)
  at('-')
  beforeEach(({ task }) => {
    running.add(task.id)
    at(running.size > 1 ? '-' : task.id)
  })
  afterEach(({ task }) => {
    running.delete(task.id)
    at('-')
  })
  mutants.exit ??= process.once('exit', flush)
}
`
