import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTaskStore } from './open-task-store.ts'
import { createTask } from './task.ts'

const EXPECTED = 'store: expected sqlite:PATH, postgres://USER:PASSWORD@HOST/DATABASE or memory:'

it.each([
  ['tasks.db', `${EXPECTED}, got "tasks.db". For a file: sqlite:tasks.db`],
  ['', `${EXPECTED}, got ""`],
  ['mysql://root:hunter2@localhost/tasks', `${EXPECTED}, got the scheme "mysql:"`],
  ['C:\\tasks.db', `${EXPECTED}, got the scheme "C:"`],
  ['constructor:x', `${EXPECTED}, got the scheme "constructor:"`],
  [
    'postgres://u:p#w@host/db',
    'store: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE; in the password',
  ],
  ['sqlite:', 'store: expected the path of a file after sqlite:'],
  ['sqlite::memory:', 'store: expected memory: for what is not kept'],
])('refuses %j at once', (url, said) => {
  expect(() => openTaskStore(url)).toThrow(said)
  expect(() => openTaskStore(url)).not.toThrow('hunter2')
})

it('keeps tasks in memory', async () => {
  const store = openTaskStore('memory:')
  const task = createTask(
    { description: 'x', priority: 'low', due: null, tags: [] },
    new Date().toISOString(),
  )
  await store.add(task)
  expect(await store.get(task.id)).toEqual(task)
  await store.close()
})

it('understands a home folder and two slashes more', async () => {
  const missing = 'no-such-folder-of-anybody/tasks.db'
  for (const [url, path] of [
    [`sqlite:~/${missing}`, `${homedir()}/${missing}`],
    [`sqlite:///${missing}`, `/${missing}`],
    [`sqlite:/${missing}`, `/${missing}`],
    [`sqlite:${missing}`, missing],
  ] as const) {
    await expect(openTaskStore(url).get('x'), url).rejects.toThrow(`The database ${path} cannot be opened`)
  }
})

it('can be closed before it was ever used', async () => {
  const path = join(tmpdir(), `never-${randomUUID()}.db`)
  await openTaskStore(`sqlite:${path}`).close()
  expect(existsSync(path)).toBe(false)
})
