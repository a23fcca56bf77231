// Makes of src/ what is published: one file for each entry, and the parts they share, instead of two hundred small ones.
// Loading those one by one took longer than everything else before a server's first answer.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { takeBodyOut } from './bodies.mjs'
import { compileWithFile } from './eager.mjs'
import { later, reach, shrink } from './later.mjs'

const ROOT = join(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')
const OUT = join(ROOT, 'dist')

const inSrc = (file) => join(SRC, file)

const entries = [
  'index.ts',
  'client/index.ts',
  'kernel/index.ts',
  'testing/index.ts',
  'sandbox/worker.ts',
  'process/keep-compiled.ts',
  ...['index', 'raw-stdio', 'raw-http'].map((name) => `bench/${name}.ts`),
  ...readdirSync(inSrc('cli/bin')).map((file) => `cli/bin/${file}`),
  ...readdirSync(inSrc('modules')).map((folder) => `modules/${folder}/index.ts`),
]

/** What a small server does without, by the files through which one comes to it. */
const LATER = {
  validator: ['schema/json/index.ts', 'schema/json/equal.ts'],
  tasks: ['server-tasks', 'store', 'record', 'wire'].map((name) => `kernel/tasks/${name}.ts`),
  refusing: [
    ...[
      'words/suggest',
      'words/describe',
      'words/wrong-fault',
      'words/without-stack',
      'jsonrpc/find-error',
      'jsonrpc/glimpse',
      'jsonrpc/depth-of',
      'jsonrpc/parse-json',
    ].map((name) => `kernel/${name}.ts`),
    ...['not-found', 'scopes', 'called-here', 'unprintable'].map((name) => `kernel/calls/${name}.ts`),
    'kernel/receive/lost.ts',
    'kernel/receive/refused.ts',
    'schema/remedies.ts',
    'transports/stdio/lost-answer.ts',
    ...['claude-line', 'greeting'].map((name) => `process/${name}.ts`),
  ],
  results: [
    ...[
      'results/tool-output',
      'results/misfit',
      'fitting/content',
      'fitting/relayed',
      'catalogue/relayed',
      'check/blocks',
      'check/printable',
    ].map((name) => `kernel/${name}.ts`),
  ],
  patterns: ['schema/json/pattern/index.ts', 'schema/json/formats/index.ts', 'schema/json/meta-schemas.ts'],
  templates: ['kernel/catalogue/uri-template.ts', 'kernel/catalogue/header-annotations.ts'],
  asking: [
    'kernel/asking/index.ts',
    'kernel/asking/answers.ts',
    'kernel/asking/capability.ts',
    'kernel/asking/check-form.ts',
    'kernel/asking/check-questions.ts',
    'kernel/calls/questions.ts',
    'authoring/elicit.ts',
  ],
  methods: [
    ...[
      'agreement',
      'completion',
      'prompts',
      'relayed-list',
      'relayed-method',
      'resources',
      'subscriptions',
    ].map((name) => `kernel/methods/${name}.ts`),
    'kernel/receive/batch.ts',
    'kernel/receive/letters.ts',
    'kernel/receive/invoke.ts',
    'kernel/calls/invoked.ts',
    'kernel/calls/watched.ts',
    'kernel/calls/find-relayed.ts',
    'kernel/calls/interest.ts',
    'kernel/catalogue/find-source.ts',
  ],
  telemetry: [
    'middleware/telemetry/index.ts',
    'middleware/telemetry/follow-call.ts',
    'middleware/telemetry/subject.ts',
    'middleware/telemetry/redact.ts',
    'middleware/telemetry/sink.ts',
    'middleware/telemetry/sinks/escape-unseen.ts',
    'middleware/telemetry/key-shapes.ts',
    'middleware/telemetry/sinks/prometheus-text.ts',
  ],
  limits: ['middleware/limit.ts', 'middleware/timeout.ts'],
  http: [
    'transports/http/handlers.ts',
    'transports/http/middleware.ts',
    'transports/http/auth/api-keys.ts',
    'transports/http/auth/challenge.ts',
    'transports/http/auth/oauth.ts',
  ],
  serving: ['check-settings', 'card/check-card', 'guards/allowed-names'].map(
    (name) => `transports/http/${name}.ts`,
  ),
  stores: [
    'stores/index.ts',
    'stores/opened-later.ts',
    'stores/measured.ts',
    'kernel/calls/change-bus.ts',
    'kernel/check/store.ts',
    'platform/sealing.ts',
    ...['by-url', 'postgres-url', 'redis-url', 'sqlite-path'].map((name) => `databases/${name}.ts`),
  ],
  kept: ['authoring/kept/index.ts', 'authoring/mount.ts'],
  context: [
    'kernel/catalogue/front.ts',
    ...['front', 'fit/fit-tool', 'fit/walk', 'types/pointer'].map((name) => `context/${name}.ts`),
  ],
  budget: ['context/budget/bound.ts', 'context/budget/promised.ts'],
  notices: ['kernel/calls/heartbeat.ts', 'kernel/calls/progress.ts', 'kernel/check/notice.ts'],
}

const parts = later({
  doors: Object.fromEntries(Object.entries(LATER).map(([part, files]) => [part, files.map(inSrc)])),
  entries: entries.map(inSrc),
})
const core = reach(inSrc('index.ts'))
const client = reach(inSrc('client/index.ts'), { lazily: true })
const listening = reach(inSrc('transports/http/node/listen.ts'))
const isTurn = (id) => /src.process.own-turn/.test(id)
const listens = (id) => listening.has(id) && !core.has(id)

/** What is needed together is one file: each further one costs half a millisecond before the first answer. */
const GROUPS = [
  // Whose turn it is to work for long asks whoever does, and those have nothing else in common.
  { name: 'core', test: (id) => (core.has(id) && !parts.waits(id)) || parts.isStub(id) || isTurn(id) },
  { name: 'shared', test: (id) => listens(id) && (client.has(id) || !/src.transports.http/.test(id)) },
  { name: 'listening', test: listens },
  { name: 'work', test: (id) => /src.kernel.(tasks|methods.tasks)/.test(id) && !parts.waits(id) },
  {
    name: 'command',
    test: /src.(cli.(run|node-version|log|config|settings|operator|commands.serve|usage-error|exit-codes)|servers.root-setting)/,
  },
  {
    name: 'client',
    test: /src.client.(?!index|test-client|errors|wires.(stdio|socket|memory|process-group|node))/,
  },
  {
    name: 'tools',
    test: /src.(confined.(?!private-file)|modules.(basics|files|introspection|journal|templates|writing))/,
  },
]

/** Of which we use a part: the rest need not be installed. */
const BUNDLED = ['astronomy-engine', 'oauth4webapi']

rmSync(join(OUT, 'parts'), { recursive: true, force: true })

await build({
  configFile: false,
  logLevel: 'error',
  root: ROOT,
  plugins: [parts.plugin],
  ssr: { noExternal: BUNDLED },
  build: {
    ssr: true,
    target: 'es2023',
    outDir: OUT,
    emptyOutDir: false,
    minify: false,
    rolldownOptions: {
      experimental: { attachDebugInfo: 'none' }, // The names of our files, which would be read at every start.
      input: Object.fromEntries(entries.map((file) => [file.replace(/\.ts$/, ''), inSrc(file)])),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: parts.fileOf,
        // Ours are in the declarations, and would be read at every start; licences of others stay with their code.
        comments: { legal: true, annotation: false, jsdoc: false },
        codeSplitting: { groups: GROUPS },
      },
    },
  },
})
parts.finish(OUT)

/** For Workers: one file, and nothing of Node in it. */
await build({
  configFile: false,
  logLevel: 'error',
  root: ROOT,
  build: {
    target: 'es2023',
    outDir: OUT,
    emptyOutDir: false,
    minify: false,
    lib: { entry: join(SRC, 'worker.ts'), formats: ['es'], fileName: () => 'worker.js' },
    // Whoever deploys a Worker bundles it anyway; names of classes stay, since what an error is called is seen.
    rolldownOptions: {
      output: {
        comments: false,
        codeSplitting: false,
        minify: { mangle: { keepNames: { class: true, function: false } } },
      },
    },
  },
})
if (/^import |from ['"]node:/m.test(readFileSync(join(OUT, 'worker.js'), 'utf8'))) {
  throw new Error('worker.js imports something')
}

/** The core is what people step through, so its names stay; the rest is shorter, and what bundlers take is the shortest already. */
const isShort = (file) =>
  file.startsWith('whole') || existsSync(join(OUT, 'parts', file.replace(/\.js$/, '.cjs')))
const written = (file, text) => {
  if (file === 'core.js') return shrink(text, { lines: true, names: true })
  if (file.endsWith('.js') && isShort(file)) return text
  const licences = licencesIn(text)
  // Of what others have written nobody mends a line.
  return `${licences}${shrink(text, { module: file.endsWith('.js'), lines: licences === '' })}`
}

/** What others have written stays under their licence, however short it is. */
const licencesIn = (text) =>
  [...text.matchAll(/\/\*[*!][\s\S]*?\*\//g)]
    .filter(([comment]) => /licen[cs]e/i.test(comment))
    .map(([comment]) => `${comment}\n`)
    .join('')

/** A single arrow in a string would have V8 keep and read the whole file at two bytes a character. */
const plain = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

for (const file of readdirSync(join(OUT, 'parts'))) {
  const path = join(OUT, 'parts', file)
  writeFileSync(path, plain(written(file, readFileSync(path, 'utf8'))))
}
const testing = join(OUT, 'testing', 'index.js')
writeFileSync(testing, plain(shrink(readFileSync(testing, 'utf8'), { lines: true })))
compileWithFile(OUT, 'parts/core.js')
for (const file of ['core.js', 'listening.js']) takeBodyOut(ROOT, file)

for (const file of readdirSync(join(OUT, 'cli', 'bin')).filter((one) => one.endsWith('.js'))) {
  chmodSync(join(OUT, 'cli', 'bin', file), 0o755)
}
