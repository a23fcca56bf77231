import { isObject, type JsonObject } from '../../src/kernel/index.ts'

/** What no value can be held against member by member; whoever asks holds it against the schema itself as well. */
const LEFT_OUT = ['not', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains', 'dependentSchemas']

/** Deeper than the values that are tried. */
const DEEPEST = 5
const MOST_WAYS = 32

/**
 * A schema of the values of another that have no members but those that it names: others count as never sent. It is
 * written down from that sentence alone, with every alternative by itself, and knows nothing of how schemas are compared.
 */
export function onlyNamed(schema: unknown, root: JsonObject, depth = 0): JsonObject | boolean {
  if (depth > DEEPEST) return false
  const ways = waysOf(schema, root, 0)
  if (ways.length === 0) return false
  return {
    anyOf: ways.map((parts) => ({
      allOf: parts.map((part) => within(part, root, { depth, isAlone: parts.length === 1 })),
      unevaluatedProperties: false,
      unevaluatedItems: onlyNamed(true, root, depth + 1),
    })),
  }
}

/** Each choice among alternatives, as what has to hold together then. */
function waysOf(schema: unknown, root: JsonObject, links: number): readonly (readonly JsonObject[])[] {
  if (schema === false || links > DEEPEST) return []
  if (!isObject(schema)) return [[{}]]
  const { $ref, allOf = [], anyOf, oneOf, definitions, ...own } = schema
  const plain = Object.fromEntries(Object.entries(own).filter(([keyword]) => !LEFT_OUT.includes(keyword)))
  const further = (part: unknown) => waysOf(part, root, links + 1)
  const together = [
    ...(typeof $ref === 'string' ? [further(find($ref, root))] : []),
    ...(allOf as readonly unknown[]).map(further),
    ...[anyOf, oneOf].filter(Array.isArray).map((list) => list.flatMap(further)),
  ]
  const start: readonly (readonly JsonObject[])[] = [[plain]]
  return together.reduce(
    (ways, more) => ways.flatMap((one) => more.map((other) => [...one, ...other])).slice(0, MOST_WAYS),
    start,
  )
}

const find = (reference: string, root: JsonObject): unknown =>
  reference === '#' ? root : (root['definitions'] as JsonObject)[reference.replace('#/definitions/', '')]

interface PartOfWay {
  readonly depth: number
  readonly isAlone: boolean
}

function within(part: JsonObject, root: JsonObject, { depth, isAlone }: PartOfWay): JsonObject {
  const one = (schema: unknown) => onlyNamed(schema, root, depth + 1)
  const each = (schemas: unknown) =>
    Object.fromEntries(Object.entries(schemas as JsonObject).map(([name, schema]) => [name, one(schema)]))
  const { properties, patternProperties, additionalProperties: rest, prefixItems, items, ...own } = part
  const isFree = rest === true || (isObject(rest) && Object.keys(rest).length === 0)
  const isMap = isAlone && properties === undefined // What it is of is what it says, even if that is anything.
  return {
    ...own,
    ...(properties !== undefined && { properties: each(properties) }),
    ...(patternProperties !== undefined && { patternProperties: each(patternProperties) }),
    ...(rest !== undefined && (!isFree || isMap) && { additionalProperties: one(rest) }),
    ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map(one) }),
    ...(items !== undefined && { items: one(items) }),
  }
}
