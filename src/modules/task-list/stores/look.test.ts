import { expect, it } from 'vitest'
import { createTask, type Status, type Task } from '../task.ts'
import { TaskLook } from './look.ts'

const AT = '2026-11-15T09:00:00.000Z'
const aTask = (blockedBy: readonly string[] = []) =>
  createTask({ description: 'Pack', priority: 'normal', due: null, tags: [], blockedBy }, AT)

/** Looks 400 times at a task behind fifty of which the first has this status, and the others are done. */
function lookOften(status: Status) {
  const [first, ...others] = Array.from({ length: 50 }, () => aTask())
  const blockers = [{ ...first, status } as Task, ...others.map((one): Task => ({ ...one, status: 'done' }))]
  const kept = new Map(blockers.map((task) => [task.id, { task, words: '' }]))
  const look = new TaskLook({ readyAt: AT }, kept)
  const task = aTask(blockers.map(({ id }) => id))
  const found = Array.from({ length: 400 }, () => look.finds({ task, words: '' }))
  return { isFound: found.every(Boolean), isLong: look.isLong }
}

it('counts each blocker that it looks at, so that others have turns', () => {
  expect(lookOften('done')).toEqual({ isFound: true, isLong: true })
})

it('looks no further than to the first that is open', () => {
  expect(lookOften('pending')).toEqual({ isFound: false, isLong: false })
})
