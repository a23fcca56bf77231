import { describe } from './describe.ts'
import { suggest } from './suggest.ts'

/** The name of a fault decides its code, so one that nobody knows has none. */
export function unknownFault(name: unknown, known: readonly string[]): TypeError {
  const hint = typeof name === 'string' ? suggest(name, known) : `Expected one of ${known.join(', ')}`
  const named = known.includes(hint) ? `Did you mean ${hint}?` : hint
  const what = name === undefined ? 'no name was given' : `there is no fault of this name, ${describe(name)}`
  return new TypeError(`new Fault: ${what}. ${named}`)
}

export function wordlessFault(message: unknown): TypeError {
  return new TypeError(`new Fault: message: expected a string, got ${describe(message)}: data comes after it`)
}
