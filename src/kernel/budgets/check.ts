import { type Fault, type FaultName, plainFault } from '../faults.ts'
import { BUDGETS, type BudgetName, type Budgets, flagOf } from './budgets.ts'
import type { Usage } from './usage.ts'

interface Measured {
  readonly budgets: Budgets
  readonly usage: Usage
}

/** Refuses what goes past a budget, in words that say how far one may go; what does not is seen by the gauges. */
export function checkBudget(server: Measured, name: BudgetName, used: number, what: string): void {
  const wrong = overBudget(server, name, used)
  if (wrong !== undefined) throw plainFault('invalidParams', `Invalid params: ${what}: ${wrong}`)
  server.usage.saw(name, used)
}

/**
 * The same for what there is too much of just now, and may be less of later.
 * @example const fault = roomFault(server, 'maxTasks', 1001)
 */
export function roomFault(
  server: Pick<Measured, 'budgets'>,
  name: BudgetName,
  wanted: number,
): Fault | undefined {
  const wrong = overBudget(server, name, wanted)
  return wrong === undefined
    ? undefined
    : plainFault(FULL, `Too many requests: ${BUDGETS[name].of}: ${wrong}`)
}

const FULL: FaultName = 'rateLimited'

/**
 * What is wrong with so much, if it is more than the budget.
 * @example const wrong = overBudget(server, 'maxLineBytes', 2_000_000)
 */
export function overBudget(
  { budgets }: Pick<Measured, 'budgets'>,
  name: BudgetName,
  used: number,
): string | undefined {
  const limit = budgets[name]
  if (used <= limit) return undefined
  const unit = BUDGETS[name].unit === 'bytes' ? ' bytes' : ''
  return `at most ${limit}${unit}, got ${used} (--${flagOf(name)})`
}

/** What a value takes, roughly: the length of its JSON, in which long texts are as long as they are. */
export function sizeOf(value: unknown): number {
  let unwritten = 0
  const written = JSON.stringify(value, (_key, one: unknown) => {
    if (typeof one !== 'string' || one.length < LONG) return one
    unwritten += one.length
    return ''
  })
  return unwritten + (written?.length ?? 0)
}

/** It takes longer to write a text than to do anything else with it. */
const LONG = 1000
