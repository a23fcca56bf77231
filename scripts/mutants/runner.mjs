// One Vitest that stays: what it has transformed once is there for the next trial.
// Asked `{ files: [{ file, tests }], bail }`, or for all `below` some folders, it answers `{ results: [{ file, id, state, took }], strays, broken, imports }`.
import { join, relative } from 'node:path'
import { loadConfigFromFile } from 'vite'
import { BaseSequencer, createVitest } from 'vitest/node'
import { TREE } from './places.mjs'

/** Tests of the commands and the client start process after process, and are about other folders. */
const ELSEWHERE = ['cli', 'sdks', 'dev', 'documents', 'moon', 'bench', 'scripts', 'project']
const SLOW = [
  'console/**',
  'src/{bench,cli}/**',
  `test/{${ELSEWHERE.join(',')}}/**`,
  'test/client/contract.test.ts',
  'test/console/watched-contract.test.ts',
  'test/authoring/serve-file.test.ts',
  'test/engines/{balancers,cli,strangers,task-list,workers}.test.ts',
]

/** What `npm test` leaves to the engines, though nothing else reaches what is done for a node or a process that is gone. */
const ALONE = [
  'test/http/abandoned-sessions.test.ts',
  'test/http/closing.test.ts',
  'test/nodes/parked.test.ts',
  'test/process/shared-store.test.ts',
  'test/process/stdio-shutdown.test.ts',
  'test/stdio/ending.test.ts',
  'test/stdio/output.test.ts',
  'test/tasks/processes.test.ts',
]

/** All else that `npm test` runs, and what needs a Redis or a PostgreSQL. */
const { config } = await loadConfigFromFile({ command: 'serve', mode: 'test' }, 'vitest.config.ts', TREE)
const { include, exclude } = config.test

class AsAsked extends BaseSequencer {
  async sort(specifications) {
    return specifications
  }
}

const vitest = await createVitest('test', {
  root: TREE,
  config: false,
  watch: false,
  reporters: [{}],
  include,
  exclude: [
    ...exclude.filter((pattern) => !/^test\/engines/.test(pattern) && !ALONE.includes(pattern)),
    ...SLOW,
  ],
  setupFiles: ['./mutants.setup.mjs'],
  pool: 'threads',
  isolate: false,
  maxWorkers: 1,
  silent: true,
  expect: { poll: { timeout: 5_000, interval: 20 } },
  sequence: { sequencer: AsAsked },
})
const project = vitest.getRootProject()

process.on('message', (request) => void run(request))
process.on('disconnect', () => process.exit())
process.send('ready')

async function run({ files, below, recording, bail }) {
  project.config.maxConcurrency = vitest.config.maxConcurrency = recording ? 1 : 5
  project.config.bail = vitest.config.bail = bail
  const wanted = recording ? await findTests({ below, among: files }) : files
  const specifications = wanted.map(({ file, tests }) =>
    project.createSpecification(file, tests && { testIds: tests }),
  )
  const { testModules: known, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const asked = new Set(wanted.map(({ file }) => file))
  const testModules = known.filter(({ moduleId }) => asked.has(moduleId)) // Those of earlier trials are told of, too.
  process.send({
    results: testModules.flatMap(resultsOf),
    broken: testModules.filter(isBroken).map(({ moduleId }) => moduleId),
    strays: unhandledErrors.map((error) => String(error?.stack ?? error)),
    ...(recording && { imports: Object.fromEntries(wanted.map(({ file }) => [file, importsOf(file)])) }),
  })
}

/** Also of those that are asked for only what is run at all. */
async function findTests({ below = [''], among }) {
  const all = await vitest.globTestSpecifications()
  const names = new Set(among?.map(({ file }) => file))
  return all
    .map(({ moduleId }) => ({ file: moduleId }))
    .filter(({ file }) => below.some((folder) => relative(TREE, file).startsWith(folder)))
    .filter(({ file }) => among === undefined || names.has(file))
}

/** The sources that a test file reads, whoever imports them. */
function importsOf(file) {
  const found = new Set()
  const follow = (module) => {
    if (module === undefined || found.has(module)) return
    found.add(module)
    for (const imported of module.importedModules) follow(imported)
  }
  for (const { moduleGraph } of Object.values(project.vite.environments))
    follow(moduleGraph.getModuleById(file))
  return [...found]
    .map(({ file: source }) => source)
    .filter((source) => source?.startsWith(join(TREE, 'src')))
}

function resultsOf(module) {
  return [...module.children.allTests()].map((test) => ({
    file: module.moduleId,
    id: test.id,
    name: `${relative(TREE, module.moduleId)} > ${test.fullName}`,
    state: test.result().state,
    took: test.diagnostic()?.duration ?? 0,
    why: test.result().errors?.[0]?.message,
  }))
}

/** It failed outside its tests: while it was read, or in what goes before or after them. */
function isBroken(module) {
  return (
    module.errors().length > 0 ||
    (module.state() === 'failed' && [...module.children.allTests('failed')].length === 0)
  )
}
