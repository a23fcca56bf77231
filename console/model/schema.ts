import { isRecord, type JsonRecord } from './json.ts'
import { decode } from './text.ts'

const MOST_STEPS = 20

/** The schema that others are parts of, and how many of them are still looked at. */
export interface Within {
  readonly root: unknown
  left: number
}

/** Follows `$ref` within the schema; what leads elsewhere, or in circles, is anything. */
export function resolve(schema: unknown, { root }: Within): unknown {
  let at = schema
  for (let step = 0; isRecord(at) && typeof at['$ref'] === 'string'; step++) {
    if (step === MOST_STEPS) return {}
    const { $ref, ...beside } = at
    const target = find(String($ref), root)
    if (!isRecord(target)) return beside
    at = { ...target, ...beside }
  }
  return at
}

function find(ref: string, root: unknown): unknown {
  if (!ref.startsWith('#')) return undefined
  const names = decode(ref.slice(1)).split('/').slice(1)
  return names.reduce<unknown>((at, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) return at[Number(key)]
    return isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, root)
}

/** What all parts of `allOf` say together, as far as a form needs it; they may hold each other. */
export function mergeAllOf(schema: unknown, within: Within, depth = 0): unknown {
  if (!isRecord(schema) || !Array.isArray(schema['allOf'])) return schema
  const { allOf, ...own } = schema
  if (depth > MOST_STEPS || within.left-- <= 0) return own
  const parts = (allOf as readonly unknown[])
    .map((part) => mergeAllOf(resolve(part, within), within, depth + 1))
    .filter(isRecord)
  return [...parts, own].reduce<JsonRecord>(mergeTwo, {})
}

function mergeTwo(one: JsonRecord, two: JsonRecord): JsonRecord {
  return {
    ...one,
    ...two,
    ...('properties' in one && 'properties' in two && { properties: { ...record(one), ...record(two) } }),
    ...(Array.isArray(one['required']) &&
      Array.isArray(two['required']) && { required: [...new Set([...one['required'], ...two['required']])] }),
  }
}

function record(schema: JsonRecord): JsonRecord {
  return isRecord(schema['properties']) ? schema['properties'] : {}
}
