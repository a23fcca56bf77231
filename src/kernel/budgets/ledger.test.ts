import { describe, expect, it } from 'vitest'
import { Fault } from '../faults.ts'
import { type BudgetName, settleBudgets } from './budgets.ts'
import { Ledger, type LedgerOptions } from './ledger.ts'
import { Usage } from './usage.ts'

const EACH = 'maxTasksPerCaller'
const ALL = 'maxTasks'
const SHARE = 'maxTasksKeptPerCaller'

function createLedger(options: Partial<LedgerOptions<string>> = {}) {
  const budgets = settleBudgets({ [EACH]: 3, [ALL]: 5, [SHARE]: 4 })
  const usage = new Usage()
  const read = (name: BudgetName) => usage.read(name)
  return { ledger: new Ledger<string>({ budgets, usage, each: EACH, all: ALL, ...options }), read }
}

it('lets each have so much, and all together so much', () => {
  const { ledger, read } = createLedger()
  ledger.add('a', 3)
  expect(() => ledger.add('a', 1)).toThrow(/at most 3, got 4/)
  ledger.add('b', 2)
  expect(() => ledger.add('b', 1)).toThrow(Fault)
  expect(() => ledger.add('c', 1)).toThrow(/at most 5, got 6/)
  expect([ledger.of('a'), ledger.of('b'), ledger.of('c'), ledger.total]).toEqual([3, 2, 0, 5])
  expect([read(EACH), read(ALL)]).toEqual([3, 5])
})

it('takes back some of it or all of it, and never more than there is', () => {
  const { ledger, read } = createLedger()
  ledger.add('a', 3)
  ledger.add('b', 1)
  ledger.remove('a', 1)
  expect([ledger.of('a'), ledger.total]).toEqual([2, 3])
  ledger.remove('a')
  ledger.remove('b', 7)
  expect([ledger.of('a'), ledger.of('b'), ledger.total, read(EACH), read(ALL)]).toEqual([0, 0, 0, 0, 0])
})

it('counts what is there anyway, and has no room for more then', () => {
  const { ledger } = createLedger()
  ledger.count('a', 9)
  expect(ledger.of('a')).toBe(9)
  expect(ledger.lack('b', 1)?.message).toContain('at most 5, got 10')
})

it('holds one who is many to what all may have alone', () => {
  const { ledger, read } = createLedger({ exempt: 'many' })
  ledger.add('many', 5)
  expect(() => ledger.add('many', 1)).toThrow(/at most 5, got 6/)
  expect([read(EACH), read(ALL)]).toEqual([0, 5])
})

describe('a share of several holders', () => {
  const share = { budget: SHARE, owner: (holder: string) => holder.split('/')[0] ?? '' } as const

  it('is counted for all of them together', () => {
    const { ledger, read } = createLedger({ share })
    expect(read(SHARE)).toBe(0)
    ledger.add('a/1', 3)
    ledger.add('a/2', 1)
    expect(read(SHARE)).toBe(4)
    expect(() => ledger.add('a/3', 1)).toThrow(/at most 4, got 5/)
    ledger.add('b/1', 1)
    ledger.remove('a/1')
    expect(read(SHARE)).toBe(1)
    ledger.add('a/3', 2)
    expect(read(SHARE)).toBe(3)
  })

  it('is none of those who cannot be told apart', () => {
    const { ledger, read } = createLedger({ share: { ...share, owner: () => '' } })
    ledger.add('1', 3)
    ledger.add('2', 2)
    expect(read(SHARE)).toBe(0)
  })
})
