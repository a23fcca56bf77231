// Perigee beside its peers: the same tools, the same messages, contenders taking turns.
//   npm run bench                 everything, in about a quarter of an hour
//   npm run bench -- --quick      a shorter look, in about a minute
//   npm run bench -- --only perigee,sdk-v2 --strict
//   npm run bench -- --only schemas
//   npm run bench -- --only stores     (Redis and PostgreSQL, which it starts and stops)
//   npm run bench -- --only code       (scripts beside plain calls, and what hostile ones do)
//   npm run bench -- --only gateway    (beside a plain proxy and the bridges people use)
//   npm run bench -- --only files      (ccmcp beside the official server for files, and a folder of 100,000 files)
//   npm run bench -- --only tasks      (bossman beside the official server that keeps things)
//   npm run bench -- --only context    (a search among the 527 tools of LiveMCPBench, beside its peers)
//   npm run bench -- --only seen       (what models see of results in Claude Code, opencode and Codex, which npm has: 1 GB)
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const LIBRARY = join(import.meta.dirname, '..', 'dist', 'bench')
const PEERS = join(import.meta.dirname, 'node_modules')
const MISSING =
  'Build it and install the peers first: npm run build && npm ci --prefix bench --ignore-scripts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    only: { type: 'string' },
    'no-write': { type: 'boolean', default: false },
    raw: { type: 'string' },
  },
})

/** How much of everything. A round has fresh processes, a cycle is one turn of each. */
const PLANS = {
  full: {
    rounds: 2,
    cycles: 5,
    colds: 31,
    seconds: 0.4,
    warmUp: { calls: 30_000, seconds: 3 },
    slices: ['stdio.latency', 'stdio.pipelined', 'stdio.big', 'stdio.notices'],
    forms: ['json', 'events'],
    connections: [1, 16, 64],
    sessions: [2000, 10_000],
    announcements: 25,
    flat: ['raw', 'perigee'],
    imports: 11,
  },
  quick: {
    rounds: 1,
    cycles: 2,
    colds: 4,
    seconds: 0.15,
    warmUp: { calls: 200_000, seconds: 0.8 },
    slices: ['stdio.latency', 'stdio.pipelined'],
    forms: ['json'],
    connections: [16],
    sessions: [2000],
    keepers: ['perigee', 'sdk-v2', 'mcp-lite'],
    announcements: 0,
    flat: ['perigee'],
    imports: 1,
  },
}

if (!existsSync(LIBRARY) || !existsSync(PEERS)) {
  console.error(MISSING)
  process.exit(2)
}
const { quick, raw } = values
const write = !values['no-write']

/** What is measured by itself. */
const ALONE = new Map([
  ['schemas', async () => (await import('./lib/schemas.mjs')).benchSchemas({ quick })],
  ['stores', async () => (await import('./lib/stores.mjs')).benchStores({ quick, write: !quick && write })],
  ['code', async () => (await import('./lib/code.mjs')).benchCode({ quick })],
  [
    'gateway',
    async () => (await import('./lib/gateway.mjs')).benchGateway({ quick, write: !quick && write }),
  ],
  ['files', async () => (await import('./lib/files.mjs')).benchFiles({ quick })],
  ['tasks', async () => (await import('./lib/tasks.mjs')).benchTasks({ quick })],
  ['context', async () => (await import('./lib/context.mjs')).benchContext({ write })],
  ['seen', async () => (await import('./lib/seen.mjs')).benchSeen({ write, raw })],
])
const mode = quick ? 'quick' : 'full'
const all = async () => {
  const { runAll } = await import('./lib/run-all.mjs')
  return runAll({ mode, plan: PLANS[mode], only: values.only?.split(','), write })
}
const kept = await (ALONE.get(values.only) ?? all)()
process.exit(values.strict && kept.some(({ state }) => state === 'not kept') ? 1 : 0)
