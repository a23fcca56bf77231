import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { LineProcess } from '../setup/process.ts'

const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')
const folder = mkdtempSync(join(tmpdir(), 'store-flag-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(args: readonly string[], env: { readonly [name: string]: string } = {}): LineProcess {
  const child = new LineProcess(PERIGEE, { args: ['serve', ...args], env: { XDG_DATA_HOME: folder, ...env } })
  onTestFinished(() => child.kill())
  return child
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})

const INITIALIZED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })

const ADD = JSON.stringify({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'create_task', arguments: { description: 'buy milk' } },
})

/** A file with a server that has something of its own. */
function serverFile(own: string): string {
  const perigee = join(import.meta.dirname, '..', '..', 'dist', 'index.js')
  return `import { defineServer } from ${JSON.stringify(perigee)}
export default defineServer({ name: 'own', version: '1.0.0', ${own} })
`
}

describe('a server that shares a store over HTTP', () => {
  it.each([
    'redis://:hunter2@127.0.0.1:1',
    'rediss://:hunter2@127.0.0.1:1',
    'postgres://me:hunter2@127.0.0.1:1/x',
  ])('is refused without a secret: %s', async (url) => {
    for (const server of ['workbench', 'bossman']) {
      const child = start([server, '--http', '--port', '0', '--store', url], { PERIGEE_SECRET: '' })
      expect(await child.end()).toBe(2)
      expect(child.stderr).toContain('--store: servers that share a store seal what clients carry')
      expect(child.stderr).toContain('set PERIGEE_SECRET')
      expect(child.stderr).not.toContain('hunter2')
    }
  })

  it.each(['sesame', 'a secret that is long enough,sesame'])(
    'is refused with one that can be guessed: %s',
    async (secret) => {
      const child = start(['workbench', '--http', '--port', '0', '--store', 'redis://127.0.0.1:1'], {
        PERIGEE_SECRET: secret,
      })
      expect(await child.end()).toBe(2)
      expect(child.stderr).toContain(
        'PERIGEE_SECRET: expected at least 16 characters that nobody can guess, got 6',
      )
      expect(child.stderr).not.toContain('sesame')
    },
  )

  it('is not refused when the server in a file has one of its own', async () => {
    const file = join(folder, 'own-secret.mjs')
    writeFileSync(file, serverFile("secrets: ['a secret of the file itself']"))
    const child = start([file, '--http', '--port', '0', '--store', 'redis://127.0.0.1:1'])
    expect(await child.end()).toBe(1)
    expect(child.stderr).toContain('The Redis server 127.0.0.1:1 cannot be reached')
  })

  it('is refused when the server in a file names the store, and has no secret', async () => {
    const file = join(folder, 'own-store.mjs')
    writeFileSync(file, serverFile("store: 'redis://:hunter2@127.0.0.1:1'"))
    const child = start([file, '--http', '--port', '0'])
    expect(await child.end()).toBe(2)
    expect(child.stderr).toContain('store: servers that share a store seal what clients carry')
    expect(child.stderr).not.toContain('hunter2')
  })

  it('needs none for a file', async () => {
    const child = start([
      'workbench',
      '--http',
      '--port',
      '0',
      '--store',
      `sqlite:${join(folder, 'nodes.db')}`,
    ])
    expect(await child.lines.next(), child.stderr).toContain('listening at')
  })
})

describe('a store that cannot be used', () => {
  it.each([
    ['redis://:hunter2@127.0.0.1:1', 'The Redis server 127.0.0.1:1 cannot be reached: nothing listens there'],
    ['postgres://me:hunter2@127.0.0.1:1/x', 'The PostgreSQL database x on 127.0.0.1:1 cannot be reached'],
    [`sqlite:${join(folder, 'no', 'such', 'a.db')}`, 'there is no folder'],
  ])('ends a server that is told to use it: %s', async (url, reason) => {
    for (const transport of [['--stdio'], ['--http', '--port', '0']]) {
      const child = start(['workbench', ...transport, '--store', url], {
        PERIGEE_SECRET: 'a secret that is long enough',
      })
      await expect.poll(() => child.stderr).toContain(reason)
      expect(await child.end()).toBe(1)
      expect(child.stderr).not.toMatch(/hunter2|long enough/)
    }
  })

  it('is a mistake in what was typed when it is no URL of a store', async () => {
    const child = start(['moonphase', '--stdio', '--store', 'mysql://me:hunter2@host'])
    expect(await child.end()).toBe(2)
    expect(child.stderr).toContain('store: expected redis://HOST')
    expect(child.stderr).not.toContain('hunter2')
  })
})

describe('a task list', () => {
  /** Adds a task to a server's list, and ends it. */
  async function add(args: readonly string[], env = {}): Promise<void> {
    const child = start([...args, '--stdio'], env)
    for (const line of [INITIALIZE, INITIALIZED, ADD]) child.write(`${line}\n`)
    await child.lines.next()
    expect(await child.lines.next(), child.stderr).toContain('buy milk')
    expect(await child.end()).toBe(0)
  }

  it('is where bossman is told by --store, by BOSSMAN_STORE or by --tasks, what was typed first', async () => {
    const path = (name: string) => join(folder, `${name}.db`)
    const exists = (name: string) => existsSync(path(name))
    await add(['bossman', '--store', `sqlite:${path('typed')}`], { BOSSMAN_STORE: `sqlite:${path('set')}` })
    expect([exists('typed'), exists('set')]).toEqual([true, false])
    await add(['bossman'], { BOSSMAN_STORE: `sqlite:${path('set')}` })
    expect(exists('set')).toBe(true)
    await add(['bossman', '--tasks', `sqlite:${path('tasks')}`], { BOSSMAN_STORE: `sqlite:${path('other')}` })
    expect([exists('tasks'), exists('other')]).toEqual([true, false])
  })

  it('has a file beside the one that nodes share', async () => {
    await add(['workbench', '--store', `sqlite:${join(folder, 'bench.db')}`])
    expect(existsSync(join(folder, 'bench-tasks.db'))).toBe(true)
  })
})

it('a server in a file uses the store of the operator, and closes it', async () => {
  const file = join(folder, 'mine.mjs')
  const index = join(import.meta.dirname, '..', '..', 'dist', 'index.js')
  writeFileSync(
    file,
    `import { defineServer, defineTool } from ${JSON.stringify(index)}
    export default defineServer({ name: 'mine', version: '1', tools: [defineTool({ name: 'shared', description: 'Tells.', run: (_args, call) => String(call.server.platform.store.shared) })] })`,
  )
  const child = start([file, '--stdio', '--store', `sqlite:${join(folder, 'mine.db')}`])
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'shared', arguments: {} } }
  for (const line of [INITIALIZE, INITIALIZED, JSON.stringify(call)]) child.write(`${line}\n`)
  await child.lines.next()
  expect(await child.lines.next(), child.stderr).toContain('true')
  expect(await child.end()).toBe(0)
})
