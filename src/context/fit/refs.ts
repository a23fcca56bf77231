import { isObject, type JsonObject } from '../../kernel/index.ts'
import { targetOf } from '../types/pointer.ts'

/** A schema that would be longer than this without its references keeps them. */
const MOST_PARTS = 3000

/** A schema with what it refers to in place of its references; as it is where that has no end. */
export function inlined(schema: JsonObject): JsonObject {
  let parts = 0
  const inline = (value: unknown, within: readonly string[]): unknown => {
    if (++parts > MOST_PARTS) throw new RangeError('too long')
    if (Array.isArray(value)) return value.map((one) => inline(one, within))
    if (!isObject(value)) return value
    const { $ref, ...beside } = value
    if (typeof $ref !== 'string') return mapped(value, (one) => inline(one, within))
    const target = targetOf($ref, schema)
    if (target === undefined) return value
    // What contains itself is told as far as it can be.
    if (within.includes($ref)) return { ...typeOf(target), ...mapped(beside, (one) => inline(one, within)) }
    const found = inline(target, [...within, $ref])
    return isObject(found) ? { ...found, ...mapped(beside, (one) => inline(one, within)) } : found
  }
  try {
    const { $defs, definitions, ...rest } = inline(schema, []) as JsonObject
    const isNeeded = JSON.stringify(rest).includes('"$ref"')
    return isNeeded ? schema : rest
  } catch (error) {
    if (error instanceof RangeError) return schema
    throw error
  }
}

function typeOf(schema: unknown): JsonObject {
  return isObject(schema) && typeof schema['type'] === 'string' ? { type: schema['type'] } : {}
}

function mapped(object: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
