import { expect, it } from 'vitest'
import { changedLinks, follow, MAX_REACH, missingText, wrongReach } from './links.ts'
import type { Task } from './task.ts'

const task = (id: string, links: Partial<Task> = {}) => ({ id, ...links }) as Task

it('finds the links that are not as they were', () => {
  const after = task('a', { blockedBy: ['b'], parent: 'p' })
  expect(changedLinks(undefined, after)).toEqual(['blockedBy', 'parent'])
  expect(changedLinks(task('a', { blockedBy: ['b'] }), after)).toEqual(['parent'])
  expect(changedLinks(after, task('a'))).toEqual([])
})

it('follows a link to its end, and sees a circle', () => {
  const tasks = new Map([
    ['b', task('b', { blockedBy: ['c', 'd'] })],
    ['d', task('d', { blockedBy: ['a'] })],
  ])
  const reach = follow('blockedBy', task('a', { blockedBy: ['b'] }), (id) => tasks.get(id))
  expect(reach).toEqual({ count: 4, circle: true })
  expect(follow('blockedBy', task('z', { blockedBy: ['d'] }), (id) => tasks.get(id)).circle).toBe(false)
})

it('says what is wrong, where something is', () => {
  const a = task('a', { blockedBy: ['b'] })
  expect(wrongReach('blockedBy', a, { count: 2, circle: true })).toContain('b would come back to a')
  expect(wrongReach('blockedBy', a, { count: MAX_REACH + 1, circle: false })).toContain('at most 1000')
  expect(wrongReach('blockedBy', a, { count: MAX_REACH, circle: false })).toBeUndefined()
  expect(missingText('parent', 'x')).toBe('parent: expected ids of tasks that are there, got x')
})
