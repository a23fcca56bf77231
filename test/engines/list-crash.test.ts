import pg from 'pg'
import { expect, it } from 'vitest'
import { startPostgres } from '../../scripts/postgres.mjs'
import { openPostgresTasks } from '../../src/modules/task-list/stores/postgres.ts'
import { checkKept, crashOften, printAcknowledged } from '../task-list/crashing.ts'
import { startEngine } from './engine.ts'

const KILLS = 12

const serverOr = await startEngine('PostgreSQL', startPostgres)

it(`loses nothing it acknowledged when it is killed ${KILLS} times while it writes, every other time after its PostgreSQL`, async (context) => {
  const { url, halt, start } = serverOr(context)
  const acknowledged = await crashOften({
    store: url,
    kills: KILLS,
    lifeMs: 1500,
    engine: { kill: halt, start },
  })
  const client = new pg.Client(url)
  await client.connect()
  const query = async (sql: string) => (await client.query(sql)).rows
  await checkKept(acknowledged, query)
  const there = await query('SELECT id FROM task_list WHERE deleted_at IS NULL')
  await client.end()
  const store = openPostgresTasks(url)
  let found = 0
  for (let before: number | undefined, more = true; more; more = before !== undefined) {
    const page = await store.list({ text: 'round' }, { limit: 200, ...(before !== undefined && { before }) })
    found += page.tasks.length
    before = page.next
  }
  await store.close()
  expect(found).toBe(there.length)
  console.info(`killed ${KILLS} times: ${printAcknowledged(acknowledged)}`)
})
