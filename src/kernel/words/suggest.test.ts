import { expect, it } from 'vitest'
import { nearest, suggest } from './suggest.ts'

it.each([
  ['create_task', 'create_task', 'the same'],
  ['CREATE_TASK', 'create_task', 'in other letters'],
  ['craete_task', 'create_task', 'with two neighbours swapped'],
  ['rceate_task', 'create_task', 'with the first two swapped'],
  ['create_takS', 'create_task', 'with the last two swapped'],
  ['creat_tsk', 'create_task', 'with two left out'],
  ['create__task_', 'create_task', 'with two put in'],
  ['crEate-task!', 'create_task', 'with one changed and one put in'],
  ['reate_task', 'create_task', 'without the first'],
  ['create_tas', 'create_task', 'without the last'],
  ['ad', 'add', 'short, and one letter away'],
  ['listt', 'list', 'nearer than another'],
])('finds what was meant by %s: %s, %s', (name, meant) => {
  expect(nearest(name, ['lost_in_tasks', 'create_task', 'update_tasks', 'list', 'lists_all', 'add'])).toBe(
    meant,
  )
})

it.each(['crate_taxi', 'ba', 'abcd', 'tasks_create', ''])('finds nothing near %s', (name) => {
  expect(nearest(name, ['create_task', 'add', 'acdbe'])).toBe(undefined)
})

it('is as far away as the fewest changes make it', () => {
  expect(nearest('abcdefgh', ['axcdefyh'])).toBe('axcdefyh')
  expect(nearest('abcdefgh', ['axcdexyh'])).toBe(undefined)
  expect(nearest('abcdefgh', ['bacdefhg'])).toBe('bacdefhg')
  expect(nearest('abcdefgh', ['badcfegh'])).toBe(undefined)
})

it('takes the first of those that are as near', () => {
  expect(nearest('cat', ['hat', 'bat'])).toBe('hat')
})

it('names what was meant, or all there are', () => {
  expect(suggest('ad', ['add', 'sub'])).toBe('add')
  expect(suggest('multiply', ['add', 'sub'])).toBe('Expected: add, sub')
})

it('looks at no more of a name than names have, whoever has sent it', () => {
  const long = 'z'.repeat(100_000)
  expect(
    nearest(
      long,
      Array.from({ length: 100 }, (_, one) => `${long}${one}`),
    ),
  ).toBe(undefined)
  expect(nearest('z'.repeat(128), ['z'.repeat(127)])).toBe('z'.repeat(127))
})

it('passes over names that nobody meant, and says no more than anybody reads', () => {
  const [long, many] = ['x'.repeat(100_000), Array.from({ length: 10_000 }, (_, at) => `tool_${at}`)]
  expect(suggest('multiply', [long, 'add', `${long}y`, 'sub'])).toBe('Expected: add, sub')
  expect(suggest('multiply', [long])).toBe('Expected: …')
  expect(suggest('multiply', many)).toMatch(/^Expected: tool_0, tool_1, .*, …$/)
  expect(suggest('multiply', many).length).toBeLessThan(5000)
})
