// Makes of src/ what is published: one file for each entry, and the parts they share, instead of two hundred small ones.
// Loading those one by one took longer than everything else before a server's first answer.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')
const OUT = join(ROOT, 'dist')

const entries = [
  'index.ts',
  'client/index.ts',
  'kernel/index.ts',
  'testing/index.ts',
  ...['index', 'raw-stdio', 'raw-http'].map((name) => `bench/${name}.ts`),
  ...readdirSync(join(SRC, 'cli', 'bin')).map((file) => `cli/bin/${file}`),
  ...readdirSync(join(SRC, 'modules')).map((folder) => `modules/${folder}/index.ts`),
]

const core = loadedWith(join(SRC, 'index.ts'))

/** What is needed together is one file: each further one costs half a millisecond before the first answer. */
const GROUPS = [
  { name: 'core', test: (id) => core.has(id) },
  { name: 'tasks', test: /src.kernel.(tasks|methods.tasks)/ },
  {
    name: 'command',
    test: /src.(cli.(run|node-version|config|settings|operator|commands.serve|usage-error)|servers.root-setting)/,
  },
  { name: 'client', test: /src.client.(?!index|test-client|errors|wires.(stdio|memory))/ },
  { name: 'tools', test: /src.(confined|modules.(basics|files|introspection|journal|templates|writing))/ },
]

/** The files that are loaded with one: those that it imports, those that they import, and so on. */
function loadedWith(file, found = new Set()) {
  if (found.has(file)) return found
  found.add(file)
  const text = readFileSync(file, 'utf8')
  for (const [, names, from] of text.matchAll(/^(?:import|export)\b([^'"]*?)\bfrom '(\.[^']+)'/gm)) {
    if (!isOnlyTypes(names)) loadedWith(join(dirname(file), from), found)
  }
  return found
}

function isOnlyTypes(names) {
  const listed = /^\s*\{([^}]*)\}/.exec(names)?.[1].split(',')
  return /^\s*type\b/.test(names) || listed?.every((name) => /^\s*(type .*)?$/.test(name)) === true
}

/** Of which we use a tenth: the rest need not be installed. */
const BUNDLED = ['astronomy-engine']

rmSync(join(OUT, 'parts'), { recursive: true, force: true })

await build({
  configFile: false,
  logLevel: 'error',
  root: ROOT,
  ssr: { noExternal: BUNDLED },
  build: {
    ssr: true,
    target: 'es2023',
    outDir: OUT,
    emptyOutDir: false,
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(entries.map((file) => [file.replace(/\.ts$/, ''), join(SRC, file)])),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'parts/[name]-[hash].js',
        // Ours are in the declarations, and would be read at every start; licences of others stay with their code.
        comments: { legal: true, annotation: false, jsdoc: false },
        codeSplitting: { groups: GROUPS },
      },
    },
  },
})

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
    rolldownOptions: { output: { comments: false, codeSplitting: false } },
  },
})
if (/^import |from ['"]node:/m.test(readFileSync(join(OUT, 'worker.js'), 'utf8'))) {
  throw new Error('worker.js imports something')
}

/** A single arrow in a string would have V8 keep and read the whole file at two bytes a character. */
for (const file of readdirSync(join(OUT, 'parts'))) {
  const path = join(OUT, 'parts', file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

for (const file of readdirSync(join(OUT, 'cli', 'bin')).filter((one) => one.endsWith('.js'))) {
  chmodSync(join(OUT, 'cli', 'bin', file), 0o755)
}
