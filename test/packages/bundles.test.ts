import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type RolldownOptions, rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { findTool, freshFolder, installed } from './installed.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const { folder } = installed
const missing = installed.missing.package || installed.missing.tools
const run = promisify(execFile)

/** The README's hello world, and the same with a schema of zod's. */
const [, HELLO = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? []
const ZOD = HELLO.replace(/^ {2}input: .*$/m, '  input: z.object({ name: z.string() }),')
const SOURCES = { 'hello.ts': HELLO, 'zod.ts': `import { z } from 'zod'\n${ZOD}` }

cpSync(join(ROOT, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'), { recursive: true })
for (const [name, source] of Object.entries(SOURCES)) writeFileSync(join(folder, name), source)

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
async function ask(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd })
  child.stdin.end(ASKED.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect(stderr).toBe('')
  const [, right, wrong] = stdout.split('\n').map((line) => (line === '' ? {} : JSON.parse(line)))
  expect(right).toMatchObject({ result: { content: [{ text: 'Hello, Ann!' }] } })
  expect(wrong.result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/name/) }] })
}

const cases = Object.keys(SOURCES).flatMap((source) =>
  (['esm', 'cjs'] as const).map((format) => ({ source, format })),
)

it.concurrent.for(cases)('esbuild bundles $source as $format', async ({ source, format }, { skip }) => {
  skip(missing !== '', missing)
  const away = freshFolder(`esbuild-${source}-${format}`)
  const out = join(away, format === 'esm' ? 'out.mjs' : 'out.cjs')
  const args = [
    source,
    '--bundle',
    '--platform=node',
    `--format=${format}`,
    `--outfile=${out}`,
    '--log-level=warning',
  ]
  const { stderr } = await run(findTool('esbuild'), args, { cwd: folder })
  expect(stderr).toBe('')
  await ask(process.execPath, [out], away)
})

it.concurrent.for(cases)('rolldown bundles $source as $format', async ({ source, format }, { skip }) => {
  skip(missing !== '', missing)
  const away = freshFolder(`rolldown-${source}-${format}`)
  const logs: string[] = []
  const onLog: RolldownOptions['onLog'] = (_level, log) => logs.push(log.message)
  const bundle = await rolldown({ input: join(folder, source), platform: 'node', cwd: folder, onLog })
  const names = format === 'esm' ? '[name].mjs' : '[name].cjs'
  await bundle.write({ dir: away, format, entryFileNames: names, chunkFileNames: names })
  expect(logs).toEqual([])
  await ask(process.execPath, [join(away, names.replace('[name]', source.replace('.ts', '')))], away)
})

it.concurrent.for(Object.keys(SOURCES))('bun compiles %s to a program', async (source, { skip }) => {
  skip(missing !== '', missing)
  const away = freshFolder(`bun-${source}`)
  const program = join(away, 'program')
  await run(findTool('bun'), ['build', '--compile', source, '--outfile', program], { cwd: folder })
  await ask(program, [], away)
})
