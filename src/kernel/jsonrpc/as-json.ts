/**
 * A value as it is when it has been written as JSON and read again, and changes no more. What is plain is copied, since
 * long texts take long to write. Throws where it cannot be written.
 */
export function asJson(value: unknown): unknown {
  const copied = copy(value, 0)
  return copied === ODD ? JSON.parse(JSON.stringify(value)) : copied
}

/** What only JSON itself knows how to write. */
const ODD = Symbol('odd')

const MAX_DEPTH = 64

function copy(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : ODD // JSON has no -0.
  if (typeof value !== 'object' || depth === MAX_DEPTH) return ODD
  if (Array.isArray(value)) return copyItems(value, depth)
  return Object.getPrototypeOf(value) === Object.prototype ? copyMembers(value, depth) : ODD
}

function copyItems(items: readonly unknown[], depth: number): unknown {
  const copied: unknown[] = []
  for (const item of items) {
    const one = copy(item, depth + 1)
    if (one === ODD) return ODD
    copied.push(one)
  }
  return copied
}

function copyMembers(members: object, depth: number): unknown {
  const copied: { [name: string]: unknown } = {}
  for (const [name, member] of Object.entries(members)) {
    if (member === undefined) continue
    const one = copy(member, depth + 1)
    if (one === ODD || name === '__proto__' || name === 'toJSON') return ODD
    copied[name] = one
  }
  return copied
}
