import type { Result } from '../kernel/index.ts'

/** A result, changed now or later, as it comes. */
export function changing(
  result: Result | Promise<Result>,
  change: (result: Result) => Result,
): Result | Promise<Result> {
  return result instanceof Promise ? result.then(change) : change(result)
}
