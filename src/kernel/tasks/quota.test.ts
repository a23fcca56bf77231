import { expect, it } from 'vitest'
import { type BudgetName, type Budgets, settleBudgets } from '../budgets/budgets.ts'
import { Usage } from '../budgets/usage.ts'
import { weigh } from '../budgets/weight.ts'
import { Quota } from './quota.ts'
import type { TaskOutcome, TaskRecord } from './record.ts'

function record(id: string, more: Partial<TaskRecord> = {}): TaskRecord {
  return {
    id,
    principal: { id: 'ann' },
    node: 'n',
    runs: 1,
    request: { name: 'tool', arguments: {}, meta: {} },
    revision: '2025-11-25',
    capabilities: {},
    createdAt: 0,
    updatedAt: 0,
    ttlMs: 5000,
    answers: {},
    keys: {},
    questions: {},
    given: {},
    outcome: { status: 'working' },
    ...more,
  }
}

const done = (text: string): TaskOutcome => ({ status: 'completed', result: { text } })
const WEIGHT = weigh(record('1'))

function createQuota(budgets: Partial<Budgets> = {}) {
  let now = 0
  const usage = new Usage()
  const quota = new Quota({ budgets: settleBudgets(budgets), usage, now: () => now })
  const read = (...names: BudgetName[]) => names.map((name) => usage.read(name))
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { quota, read, pass }
}

const COUNTS = ['maxTasks', 'maxTasksKept', 'maxTaskStoreBytes'] as const

it('counts a task as at work, as kept, and by what it takes', () => {
  const { quota, read } = createQuota()
  quota.admit(record('1'))
  expect(read(...COUNTS)).toEqual([1, 1, WEIGHT])
  quota.set('1', 'resting')
  quota.set('1', 'resting')
  expect(read(...COUNTS)).toEqual([0, 1, WEIGHT])
  quota.set('1', 'working')
  quota.set('1', 'working')
  expect(read(...COUNTS)).toEqual([1, 1, WEIGHT])
  quota.forget('1')
  quota.forget('1')
  quota.set('1', 'working')
  expect(read(...COUNTS)).toEqual([0, 0, 0])
})

it.each(['maxTasks', 'maxTasksKept', 'maxTasksPerCaller', 'maxTasksKeptPerCaller'] as const)(
  'takes nothing for a task that there is no room for: %s',
  (name) => {
    const { quota, read } = createQuota({ [name]: 1 })
    quota.admit(record('1'))
    expect(() => quota.admit(record('2'))).toThrow(/at most 1, got 2/)
    expect(read(...COUNTS)).toEqual([1, 1, WEIGHT])
  },
)

it.each(['maxTaskStoreBytes', 'maxTaskStorePerCallerBytes'] as const)(
  'takes no more than may be kept: %s',
  (name) => {
    const { quota, read } = createQuota({ [name]: 2 * WEIGHT })
    quota.admit(record('1'))
    quota.admit(record('2'))
    expect(() => quota.admit(record('3'))).toThrow(/at most/)
    expect(read(...COUNTS)).toEqual([2, 2, 2 * WEIGHT])
  },
)

it('holds callers who cannot be told apart to what there is for all', () => {
  const { quota } = createQuota({
    maxTasksPerCaller: 1,
    maxTasksKeptPerCaller: 1,
    maxTaskStorePerCallerBytes: 1,
    maxTasks: 3,
  })
  for (const id of ['1', '2', '3']) quota.admit(record(id, { principal: null }))
  expect(() => quota.admit(record('4', { principal: null }))).toThrow(/at most 3/)
})

it('lets work go on that is begun, whatever there is room for', () => {
  const { quota, read } = createQuota({ maxTasks: 1 })
  quota.admit(record('1'))
  quota.set('1', 'resting')
  quota.admit(record('2'))
  quota.set('1', 'working')
  expect(read('maxTasks')).toEqual([2])
})

it('counts what a task takes as it grows and shrinks', () => {
  const { quota, read } = createQuota()
  quota.admit(record('1'))
  const larger = record('1', { message: 'x'.repeat(100) })
  expect(quota.fit(larger)).toBe(larger)
  expect(read('maxTaskStoreBytes')).toEqual([weigh(larger)])
  quota.fit(record('1'))
  expect(read('maxTaskStoreBytes')).toEqual([WEIGHT])
  const unknown = record('2')
  expect(quota.fit(unknown)).toBe(unknown)
  expect(read('maxTaskStoreBytes')).toEqual([WEIGHT])
})

it('makes an error of a result that is too large, and keeps that', () => {
  const { quota, read } = createQuota({ maxTaskResultBytes: 20 })
  quota.admit(record('1'))
  const fits = record('1', { outcome: done('x'.repeat(9)) })
  expect(quota.fit(fits)).toBe(fits)
  expect(read('maxTaskResultBytes')).toEqual([20])
  const kept = quota.fit(record('1', { outcome: done('x'.repeat(10)), given: { a: 1 } }))
  expect(kept).toMatchObject({
    given: {},
    outcome: { status: 'failed', error: { message: expect.stringContaining('at most 20 bytes, got 21') } },
  })
  expect(read('maxTaskResultBytes', 'maxTaskStoreBytes')).toEqual([20, weigh(kept)])
})

it('makes an error of a result that there is no room for, and refuses whatever else there is none for', () => {
  const { quota, read } = createQuota({ maxTaskStoreBytes: WEIGHT + 1000 })
  quota.admit(record('1'))
  const kept = quota.fit(record('1', { outcome: done('x'.repeat(2000)) }))
  expect(kept.outcome).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('could not be kept') },
  })
  expect(read('maxTaskStoreBytes')).toEqual([weigh(kept)])
  expect(() => quota.fit(record('1', { message: 'x'.repeat(2000) }))).toThrow(/at most/)
  expect(read('maxTaskStoreBytes')).toEqual([weigh(kept)])
})

it('forgets tasks that have expired, and looks for them once a second', () => {
  const { quota, read, pass } = createQuota()
  pass(1000)
  quota.admit(record('1'))
  quota.admit(record('2', { ttlMs: null }))
  pass(4000)
  quota.admit(record('3', { createdAt: 5000 }))
  expect(read('maxTasksKept')).toEqual([2])
  pass(999)
  quota.admit(record('4', { ttlMs: 5500 }))
  quota.admit(record('5', { createdAt: 5999 }))
  expect(read('maxTasksKept')).toEqual([4])
  pass(1)
  quota.admit(record('6', { createdAt: 6000 }))
  expect(read('maxTasksKept')).toEqual([4])
})
