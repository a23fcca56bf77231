import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PERIGEE = join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')

it('the example of a gateway does what it says', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-example-'))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'perigee'), `#!/bin/sh\nexec "${process.execPath}" "${PERIGEE}" "$@"\n`)
  chmodSync(join(bin, 'perigee'), 0o755)
  cpSync(join(ROOT, 'examples', 'gateway', '.mcp.json'), join(folder, '.mcp.json'))
  const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, PERIGEE_HOME: join(folder, 'home') }
  try {
    await using client = await connect({ command: 'perigee', args: ['gateway'], cwd: folder, env })
    const names = async () => (await client.tools()).map(({ name }) => name)
    await expect.poll(names, { timeout: 30_000 }).toEqual(expect.arrayContaining(['bench_echo', 'bench_sum']))
    expect((await names()).filter((name) => name.startsWith('bench_'))).toHaveLength(2)
    await expect.poll(names, { timeout: 30_000 }).toContain('tasks_create_task')
    expect(await names()).not.toContain('tasks_delete_task')
    const { content } = await client.callTool('bench_sum', { a: 2, b: 40 })
    expect(JSON.stringify(content)).toContain('42')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
