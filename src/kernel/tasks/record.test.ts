import { expect, it } from 'vitest'
import { answersOf, ended, isOver, isWaiting, type TaskRecord, withAnswers } from './record.ts'

const asked = { method: 'elicitation/create', params: {} } as const
const record = {
  id: '1',
  answers: { name: 'Ann' },
  keys: { k1: 'age', k2: 'town' },
  questions: { k1: asked, k2: asked },
  given: {},
  outcome: { status: 'input_required' },
} as unknown as TaskRecord // As far as it is read here.

it('is over when it has an ending', () => {
  const states = ['working', 'input_required', 'cancelled', 'completed', 'failed'] as const
  const over = states.filter((status) => isOver({ ...record, outcome: { status } as TaskRecord['outcome'] }))
  expect(over).toEqual(['cancelled', 'completed', 'failed'])
})

it('waits until its tool is run with what was given', () => {
  expect(isWaiting(record)).toBe(true)
  expect(isWaiting({ ...record, outcome: { status: 'working' } })).toBe(false)
  expect(isWaiting({ ...record, outcome: { status: 'working' }, given: { k1: 7 } })).toBe(true)
})

it('takes the answers that it waits for, and goes on with the last of them', () => {
  expect(withAnswers(record, { other: 1, toString: 2 })).toBe(undefined)
  const one = withAnswers(record, { k1: 7, other: 1 })
  expect(one).toMatchObject({
    given: { k1: 7 },
    questions: { k2: asked },
    outcome: { status: 'input_required' },
  })
  expect(Object.keys(one?.questions ?? {})).toEqual(['k2'])
  const both = withAnswers(one ?? record, { k2: 'Rome' })
  expect(both).toMatchObject({ given: { k1: 7, k2: 'Rome' }, outcome: { status: 'working' } })
  expect(both?.questions).toEqual({})
  expect(withAnswers(both ?? record, { k2: 'Oslo' })).toBe(undefined)
})

it('tells its tool by the names that the tool gave', () => {
  expect(answersOf({ ...record, given: { k1: 7, unknown: 1 } })).toEqual({ name: 'Ann', age: 7, unknown: 1 })
})

it('has nothing to ask once it is over', () => {
  const over = ended({ ...record, given: { k1: 7 } }, { status: 'cancelled' })
  expect([over.questions, over.given, over.outcome]).toEqual([{}, {}, { status: 'cancelled' }])
})
