import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { freshFolder, installed } from './installed.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const BIN = join(ROOT, 'dist', 'cli', 'bin')
const folder = freshFolder('node-versions')
const missing = installed.missing.nodes

async function run(node: 'old' | 'newer', args: readonly string[], input = '') {
  const command = join(installed.folder, 'nodes', node, 'package', 'bin', 'node')
  const child = spawn(command, args, { cwd: folder })
  child.stdin.on('error', () => {}).end(input) // One that is too old reads nothing.
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { stdout, stderr, status }
}

const BINS = readdirSync(BIN).filter((file) => file.endsWith('.js'))

it.concurrent.for(BINS)('%s says which Node it needs on one that is too old', async (bin, { skip }) => {
  skip(missing !== '', missing)
  const { status, stderr, stdout } = await run('old', [join(BIN, bin)])
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

it('Node 22 keeps to itself that SQLite is experimental', async ({ skip }) => {
  skip(missing !== '', missing)
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_tasks' } }
  const store = `sqlite:${join(folder, 'tasks.db')}`
  const { stdout, stderr } = await run(
    'newer',
    [join(BIN, 'bossman.js'), '--store', store],
    lines([...OPENING, list]),
  )
  expect(stdout).toContain('"structuredContent":{"tasks":[]}')
  expect(stderr).toBe('')
})

it('Node 22 reads TypeScript itself, and keeps to itself that it is experimental', async ({ skip }) => {
  skip(missing !== '', missing)
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const cache = mkdtempSync(join(ROOT, '.cache', 'node-22-'))
  try {
    const file = join(cache, 'server.ts')
    writeFileSync(
      file,
      `import { defineServer } from 'perigee'\nconst name: string = 'typed'\nexport default defineServer({ name, version: '1' })\n`,
    )
    const { stdout, stderr } = await run('newer', [join(BIN, 'perigee.js'), 'serve', file], lines(OPENING))
    expect(stdout).toContain('"serverInfo":{"name":"typed","version":"1"}')
    expect(stderr).toBe('')
  } finally {
    rmSync(cache, { recursive: true })
  }
})
