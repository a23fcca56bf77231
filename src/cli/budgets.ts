import { BUDGET_NAMES, type Budgets, flagOf } from '../kernel/index.ts'
import { type Config, readNumber } from './config.ts'

/** Sizes may be as large as a terabyte, so that nobody is stopped who knows what they do. */
const MOST = 1024 ** 4

/** The budgets as the operator wants them. */
export function budgetsOf({ settings }: Config): Budgets {
  const limits = BUDGET_NAMES.map((name) => {
    const flag = flagOf(name)
    return [name, readNumber(flag, settings[flag], MOST)]
  })
  return Object.fromEntries(limits) as Budgets // One entry for each name.
}
