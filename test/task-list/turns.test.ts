import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createMemoryTasks } from '../../src/modules/task-list/stores/memory.ts'
import { openSqliteTasks } from '../../src/modules/task-list/stores/sqlite.ts'
import type { Task } from '../../src/modules/task-list/task.ts'
import type { TaskListPage, TaskStore } from '../../src/modules/task-list/task-store.ts'
import { aTask } from './contract.ts'
import { createFolder } from './folder.ts'

const AT = '2026-11-15T09:00:00.000Z'

/** What comes of it, with the turns of the loop that others had meanwhile; in each of them something is done. */
async function meanwhile(
  listed: Promise<TaskListPage>,
  doOther: () => Promise<unknown> = async () => {},
): Promise<{ readonly ids: readonly string[]; readonly turns: number }> {
  let [turns, isDone] = [0, false]
  const done = listed.finally(() => {
    isDone = true
  })
  for (;;) {
    await new Promise(setImmediate)
    if (isDone) return { ids: idsOf((await done).tasks), turns }
    turns++
    await doOther()
  }
}

function idsOf(tasks: readonly Task[]): readonly string[] {
  return tasks.map(({ id }) => id)
}

async function addMany(store: TaskStore, tasks: readonly Task[]): Promise<readonly string[]> {
  for (const task of tasks) await store.add(task)
  return idsOf(tasks.toReversed())
}

const LETTERS = 10_000
const WORDS = Array.from({ length: LETTERS / 5 }, (_, n) => n.toString(36).padStart(4, 'z')).join(' ')

/** Everything is in each of them but the last word, which is in none: all words are looked for in all letters. */
const longTasks = (count: number) => Array.from({ length: count }, () => aTask({ description: WORDS }))
const TEXT = `${WORDS.split(' ').slice(-9).join(' ')} nope`

it('gives others a turn after so many letters that are looked through for words', async () => {
  const store = createMemoryTasks()
  await addMany(store, longTasks(100))
  const { ids, turns } = await meanwhile(store.list({ text: TEXT }, { limit: 5 }))
  expect(ids).toEqual([])
  expect(turns).toBeGreaterThanOrEqual((100 * LETTERS * 10) / 2e6)
})

it('answers with a list as it was at one moment, and lets others write to it meanwhile', async () => {
  const store = createMemoryTasks()
  const all = [...(await addMany(store, longTasks(400)))]
  const states = [[...all]]
  const deleteOne = async () => {
    const id = states.length % 2 === 0 ? all.shift() : all.pop()
    await store.delete({ id: id ?? '', at: AT })
    states.push([...all])
  }
  const { ids } = await meanwhile(store.list({ text: TEXT.replace(' nope', '') }, { limit: 400 }), deleteOne)
  expect(states.length).toBeGreaterThan(10)
  expect(states).toContainEqual(ids)
})

const OPEN = { statuses: ['pending', 'in_progress'], readyAt: AT } as const

/** Blockers of which the last is open, and many tasks that they block, but each tenth. */
async function addBlocked(store: TaskStore, count: number, blockers: number) {
  const parent = aTask()
  const base = Array.from({ length: blockers }, () => aTask())
  await addMany(store, [parent, ...base])
  for (const { id } of base.slice(0, -1)) await store.update({ id, at: AT, changes: { status: 'cancelled' } })
  const blocked = { parent: parent.id, blockedBy: idsOf(base) }
  const tasks = Array.from({ length: count }, (_, n) => aTask(n % 10 === 0 ? { parent: parent.id } : blocked))
  await addMany(store, tasks)
  const free = tasks.filter(({ blockedBy }) => blockedBy === undefined)
  return { parent: parent.id, base: idsOf(base), ready: idsOf(free.toReversed()) }
}

const STORES = {
  'in memory': { open: () => createMemoryTasks(), count: 1500, blockers: 50, turns: 4 },
  'of SQLite': {
    open: () => openSqliteTasks({ path: join(createFolder(), 'tasks.db') }),
    count: 250,
    blockers: 3,
    turns: 3,
  },
}

it.for(Object.entries(STORES))(
  'gives others turns while it looks for what is ready in a list %s, and misses none of it on any page',
  async ([, { open, count, blockers, turns }]) => {
    const store = open()
    const { parent, base, ready } = await addBlocked(store, count, blockers)
    const all = await meanwhile(store.list(OPEN, { limit: count }))
    expect(all.ids).toEqual([...ready, base.at(-1), parent])
    expect(all.turns).toBeGreaterThanOrEqual(turns)
    const parts: string[] = []
    let before: number | undefined
    do {
      const page = { limit: 7, ...(before !== undefined && { before }) }
      const { tasks, next } = await store.list({ ...OPEN, parent }, page)
      parts.push(...idsOf(tasks))
      before = next
    } while (before !== undefined)
    expect(parts).toEqual(ready)
    await store.close()
  },
)
