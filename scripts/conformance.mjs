// Runs the official conformance suite against the fixture server, and prints one table.
//   npm run conformance -- [--nodes 3 --engine redis] [--short]: behind a balancer that gives each request to the next node
//   npm run conformance -- --client [--write: the table of docs/GATEWAY.md]: our client alone
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { compile } from './compile.mjs'
import { NEW, OLD, openSuite, SIGN_IN, SKILLS, TASKS } from './conformance/suite.mjs'
import { newerNode, ROOT } from './outside.mjs'
import { startCluster } from './storm/cluster.mjs'
import { ENGINES } from './storm/engines.mjs'
import { printTable, writeTable } from './table.mjs'

const FIXTURE = join(ROOT, 'test', 'conformance')
/** What a client is tested with; what is for a host that shows skills to a model (sep-2640-…) is not among it, as docs/GATEWAY.md says. */
const CLIENT = {
  '2025-06-18': ['initialize', 'tools_call'],
  '2025-11-25': [
    ...['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'],
    'json-schema-2020-12-preservation',
  ],
  '2026-07-28': [
    ...['tools_call', 'request-metadata', 'sep-2322-client-request-state', 'http-standard-headers'],
    ...['http-custom-headers', 'http-invalid-tool-headers', 'json-schema-ref-no-deref'],
    'json-schema-2020-12-preservation',
  ],
}

const clientRuns = Object.entries(CLIENT).map(([revision, scenarios]) => ({
  name: `our client, ${revision}`,
  ...ofClient('client.mjs', scenarios, ['--spec-version', revision]),
}))

const signInRuns = Object.entries(SIGN_IN).map(([revision, scenarios]) => ({
  name: `signing in, ${revision}`,
  ...ofClient(
    'sign-in.mjs',
    scenarios.map((name) => `auth/${name}`),
    revision === 'extension' ? [] : ['--spec-version', revision],
  ),
}))

function ofClient(fixture, scenarios, more) {
  const calls = scenarios.map((name) => ['--scenario', name, ...more])
  return { version: NEW, client: fixture, calls, scenarios: scenarios.length }
}

const all = (revision) => ['--suite', 'all', '--spec-version', revision]

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'redis' },
    short: { type: 'boolean', default: false },
    client: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

/** Each with the number of scenarios it must have run: what is left out is not passed. The short form has two of them. */
const RUNS = [
  { name: 'all of 0.1.16', version: OLD, calls: [['--suite', 'all']], scenarios: 32 },
  { name: '2025-03-26', version: NEW, calls: [all('2025-03-26')], scenarios: 1 },
  { name: '2025-06-18', version: NEW, calls: [all('2025-06-18')], scenarios: 27 },
  { name: '2025-11-25', version: NEW, calls: [all('2025-11-25')], scenarios: 33, short: true },
  { name: '2026-07-28', version: NEW, calls: [all('2026-07-28')], scenarios: 40, short: true },
  { name: '2025-11-25, required', version: NEW, calls: [['--requirements', '2025-11-25']], scenarios: 33 },
  { name: '2026-07-28, required', version: NEW, calls: [['--requirements', '2026-07-28']], scenarios: 50 },
  { name: 'tasks', version: NEW, calls: TASKS.map((name) => ['--scenario', name]), scenarios: 10 },
  { name: 'skills', version: NEW, calls: SKILLS.map((name) => ['--scenario', name]), scenarios: 3 },
  { name: '2025-11-25', version: NEW, calls: [all('2025-11-25')], scenarios: 33, compiled: true },
  { name: '2026-07-28', version: NEW, calls: [all('2026-07-28')], scenarios: 40, compiled: true },
  ...clientRuns,
  ...signInRuns,
].filter(({ short, client }) => (short || !values.short) && (client || !values.client))

const node = await newerNode()
const compiled = await compileFixture()
const output = join(ROOT, '.cache', 'conformance')
rmSync(output, { recursive: true, force: true })
const runSuite = await openSuite(output)

const [thisVersion, newerVersion] = [process.version, await versionOf(node)]
const results = new Map()
const queue = [...RUNS]
const nodes = Number(values.nodes)
const engine = nodes > 1 ? await ENGINES[values.engine]() : undefined
try {
  await Promise.all([work(), work()])
} finally {
  await engine?.stop()
  rmSync(dirname(compiled), { recursive: true })
}
report()

/** Runs what is left, one after the other; each run has a server of its own, so that two can go on at once. */
async function work() {
  for (let run = queue.shift(); run !== undefined; run = queue.shift()) results.set(run, await take(run))
}

async function take(run) {
  if (run.client) return takeClient(run)
  const command = run.compiled
    ? [process.execPath, compiled]
    : [node, '--disable-warning=ExperimentalWarning', join(FIXTURE, 'serve.ts')]
  const server = await (engine === undefined ? startOne(command) : startSeveral(command, RUNS.indexOf(run)))
  try {
    return await runSuite({ ...run, side: 'server' }, ['--url', server.url])
  } finally {
    await server.stop()
  }
}

/** The suite serves, and starts our client before what it serves. */
function takeClient(run) {
  const command = `${process.execPath} ${join(FIXTURE, run.client)}`
  return runSuite({ ...run, side: 'client' }, ['--command', command])
}

async function startOne([program, ...args]) {
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await Promise.race([once(server.stdout, 'data'), failing(server)])
  return { url: String(line).trim(), stop: () => server.kill() }
}

/** Two runs go on at once, so each has keys of its own in the engine. */
function startSeveral([program, ...args], place) {
  return startCluster({
    count: nodes,
    program,
    argsOf: ({ port }) => [...args, String(port)],
    env: ({ host }) => ({
      PERIGEE_STORE: engine.urlFor(`run${place}`),
      PERIGEE_ALLOW_HOST: `${host},${host.replace('127.0.0.1', 'localhost')}`,
    }),
  })
}

async function failing(server) {
  const [code] = await once(server, 'exit')
  throw new Error(`the fixture ended with ${code} before it listened`)
}

function report() {
  let [good, bad] = [0, 0]
  const rows = RUNS.map((run) => {
    const scenarios = results.get(run)
    const passed = scenarios.filter(({ failed, empty }) => failed.length === 0 && !empty)
    good += passed.length
    bad += Math.max(run.scenarios, scenarios.length) - passed.length
    const checks = scenarios.reduce((sum, one) => sum + one.passed, 0)
    const skipped = scenarios.reduce((sum, one) => sum + one.skipped, 0)
    return [
      run.name,
      run.version,
      run.compiled || run.client ? thisVersion : newerVersion,
      `${passed.length} of ${run.scenarios}`,
      skipped > 0 ? `${checks}, and ${skipped} always skipped` : checks,
    ]
  })
  printTable(['run', 'suite', 'Node', 'scenarios', 'checks'], rows)
  for (const run of RUNS) complain(run, results.get(run))
  console.log(`${good} passed, ${bad} failed`)
  process.exitCode = bad > 0 ? 1 : 0
  if (values.write) writeClients()
}

/** Each scenario of our client by its name, since what is left out is told beside it. */
function writeClients() {
  const rows = RUNS.filter(({ client }) => client).flatMap((run) =>
    results
      .get(run)
      .map(({ scenario, passed, skipped, failed, empty }) => [
        run.name.replace(/^.*, /, ''),
        scenario,
        passed,
        skipped,
        empty ? 'nothing was checked' : failed.map(({ id }) => id).join(', ') || 'none',
      ]),
  )
  writeTable({
    file: join(ROOT, 'docs', 'GATEWAY.md'),
    name: 'client',
    how: `\`npm run conformance -- --client\`, suite ${NEW}`,
    head: ['revision', 'scenario', 'checks passed', 'skipped', 'failed'],
    rows,
  })
}

function complain({ name, scenarios }, found) {
  if (found.length !== scenarios) console.log(`${name}: ${found.length} scenarios instead of ${scenarios}`)
  for (const { scenario, failed, empty } of found) {
    if (empty) console.log(`${name}: ${scenario}: nothing was checked`)
    for (const { id, status, errorMessage } of failed)
      console.log(`${name}: ${scenario}: ${id}: ${status}: ${errorMessage}`)
  }
}

/** The fixture for a Node that reads no TypeScript, with the files it serves beside it. */
async function compileFixture() {
  const script = await compile(join(FIXTURE, 'serve.ts'))
  cpSync(join(FIXTURE, 'skills'), join(dirname(script), 'skills'), { recursive: true })
  return script
}

async function versionOf(command) {
  const asked = spawn(command, ['--version'])
  const [text] = await once(asked.stdout, 'data')
  return String(text).trim()
}
