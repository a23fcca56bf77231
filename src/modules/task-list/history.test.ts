import { expect, it } from 'vitest'
import { noteChange } from './history.ts'
import type { Task } from './task.ts'

const NOTED = { at: '2026-11-17T07:00:00Z', what: 'changed' } as const
const task = (fields: Partial<Task>) => ({ description: 'x', tags: [], due: null, ...fields }) as Task

it('notes the fields that have changed, as text, and nothing where there was nothing', () => {
  const entry = noteChange({ ...NOTED, by: 'ann' }, task({ tags: ['a', 'b'] }), task({ due: '2026-12-01' }))
  expect(entry).toEqual({
    ...{ ...NOTED, by: 'ann' },
    changes: [
      { field: 'due', from: null, to: '2026-12-01' },
      { field: 'tags', from: 'a, b', to: null },
    ],
  })
})

it('notes no fields of what has just come or gone', () => {
  expect(noteChange(NOTED, undefined, task({}))).toEqual({ ...NOTED, changes: [] })
})

it('is no second copy of a long text', () => {
  const { changes } = noteChange(NOTED, task({}), task({ description: 'y'.repeat(300) }))
  expect(changes[0]?.to).toBe(`${'y'.repeat(200)}…`)
})
