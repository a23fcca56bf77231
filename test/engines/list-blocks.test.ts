import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '../../scripts/postgres.mjs'
import { createMemoryTasks } from '../../src/modules/task-list/stores/memory.ts'
import { openPostgresTasks } from '../../src/modules/task-list/stores/postgres.ts'
import { PRIORITIES, STATUSES } from '../../src/modules/task-list/task.ts'
import type { TaskFilter, TaskStore } from '../../src/modules/task-list/task-store.ts'
import { aTask } from '../task-list/contract.ts'
import { startEngine } from './engine.ts'

const serverOr = await startEngine('PostgreSQL', startPostgres)

const AT = '2026-11-15T09:00:00.000Z'
const WORDS = ['pack', 'parcel', 'books', 'boots', 'ann', '東京都', 'Über', '100', 'x', '𐐷𐐷𐐷𐐷𐐷']
const TAGS = ['home', 'work', 'ä b']
const DAYS = ['2019-12-31', '2024-02-29', '2026-11-09', '2026-11-10', '2027-01-01', null]

/** The same every time. */
let state = 5
function one<T>(list: readonly T[]): T {
  state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
  return list[Math.floor((state / 4_294_967_296) * list.length)] as T // No list here is empty.
}

async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function fill(stores: readonly TaskStore[], skip: (number: number) => Promise<unknown>): Promise<void> {
  for (const start of [0, 4090, 8191, 50_000, 1_000_000]) {
    await skip(start)
    for (let n = 0; n < 12; n++) {
      const task = aTask({
        description: `${one(WORDS)} ${one(WORDS)} ${one(WORDS)}`,
        priority: one(PRIORITIES),
        tags: [one(TAGS)],
        due: one(DAYS),
      })
      const deed = { id: task.id, at: AT }
      const status = one(STATUSES)
      const changes = { status, description: `${one(WORDS)} ${one(WORDS)}` }
      const isDeleted = one([true, false, false, false])
      for (const store of stores) {
        await store.add(task)
        if (n % 2 === 0) await store.update({ ...deed, changes })
        if (isDeleted) await store.delete(deed)
      }
    }
  }
}

function aFilter(): TaskFilter {
  const text = one([undefined, 'pa', 'bo ann', 'x', '東京', 'über 1', '𐐷𐐷𐐷', 'pack', 'parce', 'nothing'])
  const tag = one([undefined, undefined, ...TAGS])
  const statuses = one([undefined, ['done'], ['pending', 'in_progress']] as const)
  const priority = one([undefined, undefined, ...PRIORITIES])
  const day = one([undefined, '2020-01-01', '2026-11-10', '2026-11-11', '2030-06-15'])
  return {
    ...(text !== undefined && { text }),
    ...(tag !== undefined && { tag }),
    ...(statuses !== undefined && { statuses }),
    ...(priority !== undefined && { priority }),
    ...(day !== undefined && { dueBefore: `${day}T00:00:00.000Z` }),
  }
}

async function allPages(store: TaskStore, filter: TaskFilter): Promise<readonly string[]> {
  const ids: string[] = []
  for (let before: number | undefined, more = true; more; more = before !== undefined) {
    const page = await store.list(filter, { limit: 3, ...(before !== undefined && { before }) })
    ids.push(...page.tasks.map(({ id }) => id))
    before = page.next
  }
  return ids
}

it('finds the same as a list in memory, whatever is asked and however far apart tasks are', async (context) => {
  const { url } = serverOr(context)
  const client = await openClient(url)
  const [list, other] = [openPostgresTasks(`${url}?prefix=a:`), openPostgresTasks(`${url}?prefix=b:`)]
  const memory = createMemoryTasks()
  await list.list({}, { limit: 1 })
  const skip = async (number: number) => {
    await client.query("SELECT setval(pg_get_serial_sequence('task_list', 'number'), $1)", [number + 1])
    await other.add(aTask({ description: 'pack books for ann', tags: TAGS, due: '2019-12-31' }))
  }
  await fill([list, memory], skip)
  for (let round = 0; round < 150; round++) {
    const filter = aFilter()
    expect(await allPages(list, filter), JSON.stringify(filter)).toEqual(await allPages(memory, filter))
  }
  expect(await allPages(other, { text: 'ann', dueBefore: AT })).toHaveLength(5)
  for (const store of [list, other, memory]) await store.close()
})

const BEFORE = {
  'were not in blocks': `CREATE INDEX task_list_by_words ON task_list USING gin (words) WITH (fastupdate = off)
      WHERE deleted_at IS NULL;
    CREATE INDEX task_list_by_due ON task_list (list, due_end) WHERE deleted_at IS NULL AND due_end IS NOT NULL;
    UPDATE perigee_schema SET version = 5 WHERE owner = 'task-list'`,
  'had no beginnings': `CREATE FUNCTION task_list_placed(list TEXT, number BIGINT, words TSVECTOR) RETURNS TSVECTOR
    LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT words $$;
    CREATE INDEX task_list_by_words ON task_list USING gin (task_list_placed(list, number, words))
      WITH (fastupdate = off) WHERE deleted_at IS NULL;
    UPDATE perigee_schema SET version = 6 WHERE owner = 'task-list'`,
}

it.for(Object.entries(BEFORE))('migrates a database whose words %s', async ([, before], context) => {
  const { url } = serverOr(context)
  const client = await openClient(url)
  const store = openPostgresTasks(`${url}?prefix=old:`)
  const task = aTask({ description: `from before ${before.length}`, due: '2020-01-01' })
  await store.add(task)
  await store.close()
  await client.query(`DROP INDEX task_list_by_words; DROP FUNCTION task_list_placed; ${before}`)
  const opened = openPostgresTasks(`${url}?prefix=old:`)
  expect(await allPages(opened, { text: `bef ${before.length}` })).toEqual([task.id])
  expect(await allPages(opened, { dueBefore: AT, text: `${before.length}` })).toEqual([task.id])
  await opened.delete({ id: task.id, at: AT })
  await opened.close()
  const { rows } = await client.query(
    "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'task_list_by_%'",
  )
  expect(rows.map(({ indexname }) => indexname)).not.toContain('task_list_by_due')
})
