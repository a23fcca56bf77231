import { describe } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'
import { type Check, callable, expecting, flag, membersOf, number, object, text } from './members.ts'

/**
 * Defaults, with what somebody chose instead. A name that has no default is a mistake, and so is a value of
 * another kind than the default; where the default is undefined, anything may stand.
 * @example const { port } = settle('servePort', { port: 8181 }, { port: 0 })
 */
export function settle<Type extends object>(
  caller: string,
  defaults: Type,
  chosen: Partial<Type> = {},
): Type {
  if (chosen === null || typeof chosen !== 'object')
    throw new Mistake(`${caller}: expected options, an object, got ${describe(chosen)}`)
  if (Object.keys(chosen).length === 0) return { ...defaults }
  const members = Object.entries(defaults).map(([name, value]) => [name, kindOf(value)] as const)
  membersOf(Object.fromEntries(members))(chosen, caller)
  const given = Object.entries(chosen).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(given) }
}

const KINDS: { readonly [type: string]: Check } = { string: text, number, boolean: flag, function: callable }
const list = expecting('an array', Array.isArray)

function kindOf(value: unknown): Check {
  if (Array.isArray(value)) return list
  if (typeof value === 'object' && value !== null) return object
  return KINDS[typeof value] ?? (() => {})
}
