const UNSAYABLE = new Set(['bigint', 'function', 'symbol'])

const MAX_DEPTH = 128

/**
 * Where a value has something that JSON has no word for, as a pointer; undefined where all of it can be said.
 * A circle is among it: it is deeper than anything that is written.
 */
export function findUnsayable(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH || UNSAYABLE.has(typeof value)) return ''
  if (typeof value !== 'object' || value === null) return undefined
  for (const name of Object.keys(value)) {
    const part: unknown = Reflect.get(value, name)
    const isHole = part === undefined && Array.isArray(value)
    const place = isHole ? '' : findUnsayable(part, depth + 1)
    if (place !== undefined) return `/${name}${place}`
  }
  return undefined
}
