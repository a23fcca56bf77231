import { BUDGET_NAMES, type Budgets, flagOf } from '../kernel/index.ts'
import { type Config, readNumber } from './config.ts'

/** Sizes may be as large as a terabyte, so that nobody is stopped who knows what they do. */
const MOST = 1024 ** 4

/** The budgets that the operator has set. */
export function budgetsOf({ settings, sources }: Config): Partial<Budgets> {
  // What stands by default has no other source than its own name.
  const chosen = BUDGET_NAMES.filter((name) => sources[flagOf(name)] !== flagOf(name))
  const limits = chosen.map((name) => {
    const flag = flagOf(name)
    return [name, readNumber(flag, settings[flag], MOST)]
  })
  return Object.fromEntries(limits)
}
