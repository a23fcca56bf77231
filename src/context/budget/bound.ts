import { type Bound, isInvoked, type Result, type ResultBounds } from '../../kernel/index.ts'
import { REST } from './rest.ts'
import { shorten } from './shorten.ts'
import { binaryOf, SHOWN_BYTES, weigh } from './weigh.ts'

/** What holds results to the budgets of their tools. */
export function createBounds(): ResultBounds {
  return { template: REST, bound }
}

/** What fits leaves as it came. */
function bound(result: Result, given: Bound): Result | Promise<Result> {
  // A tool that calls a tool gets all of what it gives.
  if (isInvoked(given.call) || !Array.isArray(result['content']) || fits(result, given)) return result
  return shorten(result, given)
}

function fits(result: Result, { budget }: Bound): boolean {
  const blocks = result['content'] as readonly unknown[]
  if (blocks.some((block) => (binaryOf(block)?.data.length ?? 0) > SHOWN_BYTES)) return false
  return weigh(result, budget.tokens).tokens <= budget.tokens
}
