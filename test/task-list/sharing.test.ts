import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/index.ts'
import { openSqliteTasks } from '../../src/modules/task-list/stores/sqlite.ts'
import { say, startBossman } from './bossman.ts'
import { aTask } from './contract.ts'
import { createFolder, openFile } from './folder.ts'

const NEW_TASKS = 100

/** Each process changes something else of the same tasks. */
const CHANGES: readonly JsonObject[] = [{ priority: 'urgent' }, { due: '2026-12-24' }, { tags: ['shared'] }]

it('three processes write to one file at once, and nothing is lost', async () => {
  const path = join(createFolder(), 'tasks.db')
  const shared = Array.from({ length: 30 }, () => aTask())
  const store = openSqliteTasks({ path })
  for (const task of shared) await store.add(task)

  await Promise.all(
    CHANGES.map(async (changes, process) => {
      const client = await startBossman({ args: ['--store', `sqlite:${path}`] })
      for (const { id } of shared)
        expect(await say(client, 'update_task', { id, ...changes })).not.toMatch(/^refused/)
      for (let n = 0; n < NEW_TASKS; n++) {
        const description = `process ${process}, task ${n}`
        expect(await say(client, 'create_task', { description })).not.toMatch(/^refused/)
      }
    }),
  )

  for (const { id } of shared) expect(await store.get(id)).toMatchObject(Object.assign({}, ...CHANGES))
  await store.close()
  const database = openFile(path)
  const total = shared.length + CHANGES.length * NEW_TASKS
  expect(
    await database.query('SELECT count(DISTINCT description) AS count, count(*) AS total FROM task_list'),
  ).toEqual([{ count: 1 + CHANGES.length * NEW_TASKS, total }])
  expect(await database.query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  await database.close()
})

it('a process sees what another has just written', async () => {
  const path = join(createFolder(), 'tasks.db')
  const args = ['--store', `sqlite:${path}`]
  const [one, other] = [await startBossman({ args }), await startBossman({ args })]
  const { id } = JSON.parse(await say(one, 'create_task', { description: 'x' }))
  await say(other, 'complete_task', { id })
  expect(JSON.parse(await say(one, 'get_task', { id }))).toMatchObject({ status: 'done' })
})
