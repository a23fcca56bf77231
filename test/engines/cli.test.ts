import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Engine } from '../../scripts/engine.d.mts'
import { startPostgres } from '../../scripts/postgres.mjs'
import { startRedis } from '../../scripts/redis.mjs'
import { LineProcess } from '../setup/process.ts'
import { startEngine } from './engine.ts'
import { urlWithPrefix } from './store.ts'

const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')

const [redisOr, postgresOr] = [
  await startEngine('Redis', startRedis),
  await startEngine('PostgreSQL', startPostgres),
]

let redis: Engine
let postgres: Engine
beforeEach((context) => {
  redis = redisOr(context)
  postgres = postgresOr(context)
})

/** What a server over HTTP says at start. */
async function start(server: string, args: readonly string[]): Promise<LineProcess> {
  const home = mkdtempSync(join(tmpdir(), 'engines-cli-'))
  const child = new LineProcess(PERIGEE, {
    args: ['serve', server, '--http', '--port', '0', ...args],
    env: { PERIGEE_SECRET: 'what nobody can guess,what nobody could guess before', XDG_DATA_HOME: home },
  })
  onTestFinished(async () => {
    await child.kill()
    rmSync(home, { recursive: true, force: true })
  })
  expect(await child.lines.next(), child.stderr).toContain('listening at')
  return child
}

it.each([
  ['bossman', /the task list is not in Redis, but in \S+bossman\/tasks\.db: --tasks names another place/],
  [
    'workbench',
    /the task list is not in Redis, but in the memory of this process: --tasks names another place/,
  ],
])('%s on Redis says where its task list is', async (server, note) => {
  const child = await start(server, ['--store', urlWithPrefix(redis)])
  await expect.poll(() => child.stderr).toMatch(note)
  expect(child.stderr).not.toContain('correct-horse')
})

it.each(['bossman', 'workbench'])(
  '%s keeps its task list in the PostgreSQL that it shares',
  async (server) => {
    const child = await start(server, ['--store', postgres.url])
    const elsewhere = await start(server, ['--store', urlWithPrefix(redis), '--tasks', postgres.url])
    for (const one of [child, elsewhere]) expect(one.stderr).not.toContain('task list')
  },
)

describe.each(['Redis', 'PostgreSQL'])('A server on %s that cannot serve', (name) => {
  it.each([
    ['its keys cannot be read', ['--key-file', 'nowhere.json'], 'nowhere.json cannot be read', 2],
    ['anybody could reach it', ['--host', '0.0.0.0'], 'can be reached from other machines', 2],
    ['its record cannot be written', ['--record', 'nowhere/at-all'], 'cannot be written', 2],
  ])('ends when %s', async (_why, args, said, code) => {
    const url = urlWithPrefix(name === 'Redis' ? redis : postgres)
    const child = new LineProcess(PERIGEE, {
      args: ['serve', 'workbench', '--http', '--port', '0', '--store', url, ...args],
      env: { PERIGEE_SECRET: 'what nobody can guess' },
    })
    onTestFinished(() => child.kill())
    expect(await child.end()).toBe(code)
    expect(child.stderr).toContain(said)
  })
})
