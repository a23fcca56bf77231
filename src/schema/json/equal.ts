import { isObject } from '../../kernel/index.ts'
import { spend } from './effort.ts'
import { has, namesOf } from './has.ts'
import { isScalar } from './names.ts'

/** Whether two JSON values are the same; the order of members counts for nothing. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  spend(4)
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const [names, others] = [namesOf(a), namesOf(b)]
  if (names.length !== others.length) return false
  spend(names.length)
  return names.every((name) => has(b, name) && equal(a[name], b[name]))
}

/** A text that equal values have in common, and no others. */
function keyOf(value: unknown): string {
  spend(64)
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`
  if (typeof value === 'string') spend(value.length >> 2)
  if (typeof value === 'number') return String(value) // JSON would have no word for 1e400.
  if (!isObject(value)) return String(JSON.stringify(value))
  spend(96) // Its names are put in order, and each is printed.
  const names = namesOf(value).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${keyOf(value[name])}`).join()}}`
}

/** Where the first item is that is equal to one before it; -1 if there is none. */
export function findRepeated(items: readonly unknown[]): number {
  const scalars = new Set<unknown>()
  const others = new Set<string>()
  for (let index = 0; index < items.length; index++) {
    spend(16) // Each is kept, and looked for.
    const item = items[index]
    const known: Set<unknown> = isScalar(item) ? scalars : others
    const count = known.size
    if (known.add(isScalar(item) ? item : keyOf(item)).size === count) return index
  }
  return -1
}
