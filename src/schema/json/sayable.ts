import { keysOf } from './keys.ts'

const UNSAYABLE = new Set(['bigint', 'function', 'symbol'])

const MAX_DEPTH = 128

/** How many values may still be looked at; what stands in several places is looked at in each. */
export interface ValueAllowance {
  left: number
}

/**
 * Where a value has something that JSON has no word for, as a pointer; undefined where all of it can be said, or where
 * there is more than may be looked at. A circle is among it: it is deeper than anything that is written.
 */
export function findUnsayable(value: unknown, allowance: ValueAllowance, depth = 0): string | undefined {
  if (depth > MAX_DEPTH || UNSAYABLE.has(typeof value)) return ''
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  const keys = isList ? value : keysOf(value)
  allowance.left -= keys.length
  for (let index = 0; index < keys.length && allowance.left >= 0; index++) {
    const name = isList ? index : String(keys[index])
    const part: unknown = Reflect.get(value, name)
    const isHole = part === undefined && isList
    const place = isHole ? '' : findUnsayable(part, allowance, depth + 1)
    if (place !== undefined) return `/${name}${place}`
  }
  return undefined
}
