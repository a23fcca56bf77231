import type { JsonObject } from '../../kernel/index.ts'
import { effort, spend } from './effort.ts'

/** V8 knows this form by heart, and takes less time for it than for `Object.hasOwn`. */
const isOwn: (value: object, name: string) => boolean = Function.prototype.call.bind(
  Object.prototype.hasOwnProperty,
)

/** Whether a member is there: its own, and not undefined, which JSON leaves out. */
export function has(value: JsonObject, name: string): boolean {
  return isOwn(value, name) && value[name] !== undefined
}

/** What took so long to list that it is done once, should several rules want it one after the other. */
export const listed: { value: JsonObject | undefined; names: readonly string[] } = {
  value: undefined,
  names: [],
}
const MANY = 1000

/** The names of the members that are there; listing them counts, going through them is left to who does. */
export function namesOf(value: JsonObject): readonly string[] {
  if (value === listed.value) return listed.names
  const keys = Object.keys(value)
  effort.left -= gatherCost(keys.length)
  if (effort.left < 0) spend(0)
  const names = isWhole(value, keys) ? keys : keys.filter((one) => value[one] !== undefined)
  if (names.length > MANY) Object.assign(listed, { value, names })
  return names
}

/** What an object takes to give its names: one with many keeps them in no order that could be read off. */
function gatherCost(names: number): number {
  if (names <= 32) return 1 + (names >> 2)
  return names * (names > 1000 ? 8 : 6)
}

function isWhole(value: JsonObject, keys: readonly string[]): boolean {
  for (const name of keys) if (value[name] === undefined) return false
  return true
}

/** Keeps nothing of a value when it has been checked, and nothing of what it was if it changes. */
export function forgetListed(): void {
  Object.assign(listed, { value: undefined, names: [] })
}
