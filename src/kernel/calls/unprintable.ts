import { legible } from '../faults.ts'

/** Why an answer is no JSON, for the log: where that was found is where it was thrown. */
export function explainUnprintable(thrown: unknown): Error {
  const error = legible(thrown)
  if (!(error instanceof Error)) return new Error(`${WHAT}: ${String(error)}`)
  const explained = new Error(`${WHAT}: ${error.message}`)
  if (error.stack !== undefined) explained.stack = error.stack
  return explained
}

const WHAT = 'The answer cannot be written as JSON'
