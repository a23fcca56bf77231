import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RolldownOptions, rolldown } from 'rolldown'
import { afterAll, expect, it } from 'vitest'
import { Installed } from './installed.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const installed = new Installed(['esbuild@0.28.2', 'bun@1.4.4'])
const { folder, missing } = installed
afterAll(() => installed.remove(), 60_000)

/** The README's hello world, and the same with a schema of zod's. */
const [, HELLO = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? []
const ZOD = HELLO.replace(/^ {2}input: .*$/m, '  input: z.object({ name: z.string() }),')
const SOURCES = { 'hello.ts': HELLO, 'zod.ts': `import { z } from 'zod'\n${ZOD}` }

installed.borrow('zod')
for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(folder, name), text)

const ASKED = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  },
  { id: 2, method: 'tools/call', params: { name: 'hello', arguments: { name: 'Ann' } } },
  { id: 3, method: 'tools/call', params: { name: 'hello', arguments: { name: 5 } } },
]

/** Runs a bundle where nothing is installed, and has its tool called. */
function ask(command: string, args: readonly string[], cwd: string): void {
  const input = ASKED.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('')
  const { stdout, stderr } = spawnSync(command, args, { input, cwd, encoding: 'utf8' })
  expect(stderr).toBe('')
  const [, right, wrong] = stdout.split('\n').map((line) => (line === '' ? {} : JSON.parse(line)))
  expect(right).toMatchObject({ result: { content: [{ text: 'Hello, Ann!' }] } })
  expect(wrong.result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/name/) }] })
}

const cases = Object.keys(SOURCES).flatMap((source) =>
  (['esm', 'cjs'] as const).map((format) => ({ source, format })),
)

it.for(cases)('esbuild bundles $source as $format', ({ source, format }, { skip }) => {
  skip(missing !== '', missing)
  const away = installed.fresh(`esbuild-${source}-${format}`)
  const out = join(away, format === 'esm' ? 'out.mjs' : 'out.cjs')
  const args = [
    source,
    '--bundle',
    '--platform=node',
    `--format=${format}`,
    `--outfile=${out}`,
    '--log-level=warning',
  ]
  const { stderr } = spawnSync(join(folder, 'tools/node_modules/.bin/esbuild'), args, {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  ask(process.execPath, [out], away)
})

it.for(cases)('rolldown bundles $source as $format', async ({ source, format }, { skip }) => {
  skip(missing !== '', missing)
  const away = installed.fresh(`rolldown-${source}-${format}`)
  const logs: string[] = []
  const onLog: RolldownOptions['onLog'] = (_level, log) => logs.push(log.message)
  const bundle = await rolldown({ input: join(folder, source), platform: 'node', cwd: folder, onLog })
  const names = format === 'esm' ? '[name].mjs' : '[name].cjs'
  await bundle.write({ dir: away, format, entryFileNames: names, chunkFileNames: names })
  expect(logs).toEqual([])
  ask(process.execPath, [join(away, names.replace('[name]', source.replace('.ts', '')))], away)
})

it.for(Object.keys(SOURCES))('bun compiles %s to a program', (source, { skip }) => {
  skip(missing !== '', missing)
  const away = installed.fresh(`bun-${source}`)
  const program = join(away, 'program')
  execFileSync(findBun(), ['build', '--compile', source, '--outfile', program], {
    cwd: folder,
    stdio: 'pipe',
  })
  ask(program, [], away)
})

/** Its own package has a script that puts it in place; ours is not to run scripts. */
function findBun(): string {
  const scope = join(folder, 'tools/node_modules/@oven')
  const [platform = ''] = readdirSync(scope)
  const bun = join(scope, platform, 'bin', 'bun')
  chmodSync(bun, 0o755)
  return bun
}
