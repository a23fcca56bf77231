import { expect, it } from 'vitest'
import { createMemoryTasks } from '../../src/modules/task-list/stores/memory.ts'
import type { Task } from '../../src/modules/task-list/task.ts'
import type { TaskListPage, TaskStore } from '../../src/modules/task-list/task-store.ts'
import { aTask } from './contract.ts'

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
