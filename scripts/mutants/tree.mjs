import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../outside.mjs'

const HOME = join(ROOT, '.cache', 'mutants')

export const TREE = join(HOME, 'tree')

/** A copy of the tree that holds every change of the sample, asleep. */
export function plant(sites) {
  const tree = TREE
  rmSync(HOME, { recursive: true, force: true })
  mkdirSync(tree, { recursive: true })
  for (const file of tracked()) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    cpSync(join(ROOT, file), join(tree, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  const shared = join(ROOT, '..', 'shared')
  if (existsSync(shared)) symlinkSync(shared, join(HOME, 'shared'))
  for (const file of new Set(sites.map((site) => site.file))) {
    const path = join(tree, file)
    const own = sites.filter((site) => site.file === file)
    writeFileSync(path, `${rewrite(readFileSync(path, 'utf8'), own)}\n${WAKING}`)
  }
  writeFileSync(join(tree, 'mutants.setup.mjs'), SETUP)
  writeFileSync(join(tree, 'mutants.config.mjs'), CONFIG)
  execFileSync('node', ['scripts/bundle.mjs'], { cwd: tree, stdio: 'inherit' })
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

/** Which change is awake stands in the environment, where processes that tests start find it, too. */
const WAKING = `
/** A line that began with a parenthesis would belong to the one before it. */
function __v(value) {
  return value
}
function __m(id) {
  const { env } = process
  const mutants = (globalThis.__mutants ??= { awake: Number(env.PERIGEE_MUTANT ?? 0), seen: new Set() })
  if (env.PERIGEE_MUTANTS_SEEN !== undefined) {
    const key = id + ' ' + (env.PERIGEE_TEST_FILE ?? '')
    if (!mutants.seen.has(key)) {
      mutants.seen.add(key)
      process.getBuiltinModule('node:fs').appendFileSync(env.PERIGEE_MUTANTS_SEEN, key + '\\n')
    }
  }
  return mutants.awake === id
}
`

const SETUP = `process.env.PERIGEE_TEST_FILE = globalThis.__vitest_worker__.filepath\n`

const CONFIG = `
import { BaseSequencer } from 'vitest/node'

const order = (process.env.PERIGEE_MUTANTS_ORDER ?? '').split(':')

class Quickest extends BaseSequencer {
  async sort(files) {
    return files.toSorted((a, b) => order.indexOf(a.moduleId) - order.indexOf(b.moduleId))
  }
}

export default {
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/packages/**'], // They pack and install what was not changed.
    setupFiles: ['./mutants.setup.mjs'],
    pool: 'threads',
    isolate: true,
    maxWorkers: 2,
    testTimeout: 120_000,
    sequence: { sequencer: Quickest },
  },
}
`
