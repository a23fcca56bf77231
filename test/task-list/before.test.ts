import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteTasks } from '../../src/modules/task-list/stores/sqlite.ts'
import type { Task } from '../../src/modules/task-list/task.ts'
import type { TaskFilter } from '../../src/modules/task-list/task-store.ts'
import { aTask } from './contract.ts'
import { createFolder, openFile } from './folder.ts'

/** Made by bossman when it knew neither words nor claims: five tasks, one of which it deleted for good. */
const BEFORE = join(import.meta.dirname, 'before', 'tasks.db')

it('opens a file that the code before has made: every task is as it was, found by its words, and can be shared', async () => {
  const path = join(createFolder(), 'tasks.db')
  copyFileSync(BEFORE, path)
  const store = openSqliteTasks({ path })
  const found = async (filter: TaskFilter) =>
    (await store.list(filter, { limit: 10 })).tasks.map(({ description }: Task) => description.slice(0, 8))
  const { tasks } = await store.list({}, { limit: 10 })
  expect(tasks.map((task) => ({ ...task, description: task.description.slice(0, 40) }))).toEqual([
    expect.objectContaining({ description: 'x'.repeat(40), status: 'pending' }),
    expect.objectContaining({
      description: 'Call Ann',
      status: 'in_progress',
      due: '2026-11-20T15:00:00+01:00',
    }),
    expect.objectContaining({ priority: 'urgent', tags: ['travel', 'ä b'], due: '2026-11-20' }),
    expect.objectContaining({
      description: 'Fix parser bug',
      status: 'done',
      completedAt: expect.any(String),
    }),
  ])
  for (const task of tasks) expect(await store.history(task.id)).toEqual([])
  expect(await found({ text: 'flu 東京' })).toEqual(['Über den'])
  expect(await found({ tag: 'ä b', statuses: ['pending'] })).toEqual(['Über den'])
  expect(await found({ text: 'gone' })).toEqual([])
  expect(await found({ dueBefore: '2026-11-20T20:00:00.000Z' })).toEqual(['Call Ann'])
  const [long, call] = tasks
  await store.add(aTask({ blockedBy: [long?.id ?? ''], parent: call?.id ?? '' }))
  const at = '2030-01-01T00:00:00.000Z'
  expect(await store.update({ id: long?.id ?? '', changes: { description: 'Short' }, at })).toMatchObject({
    ...long,
    description: 'Short',
    updatedAt: at,
  })
  expect(await found({ text: 'short' })).toEqual(['Short'])
  await store.close()
  const database = openFile(path)
  expect(await database.query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(await database.query("INSERT INTO task_words (task_words) VALUES ('integrity-check')")).toEqual([])
  await database.close()
})
