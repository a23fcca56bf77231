import { isObject, type JsonObject } from '../../kernel/index.ts'
import { canonical } from '../canonical.ts'

/** Two schemas that both have to hold, as one; none where no value can do both. */
export interface Merged {
  readonly schema: JsonObject | undefined
  /** Whether it says as much as the two. */
  readonly isExact: boolean
}

type MergeRule = (one: never, other: never) => unknown

const least: MergeRule = (one: number, other: number) => Math.min(one, other)
const most: MergeRule = (one: number, other: number) => Math.max(one, other)
const all = (one: unknown, other: unknown) => ({ allOf: [one, other] })
const union: MergeRule = (one: readonly unknown[], other: readonly unknown[]) => [
  ...new Set([...one, ...other]),
]

/** How a keyword that both have becomes one; `undefined` where it cannot. */
const RULES: { readonly [keyword: string]: MergeRule } = {
  minimum: most,
  exclusiveMinimum: most,
  minLength: most,
  minItems: most,
  minProperties: most,
  maximum: least,
  exclusiveMaximum: least,
  maxLength: least,
  maxItems: least,
  maxProperties: least,
  required: union,
  uniqueItems: (one: boolean, other: boolean) => one || other,
  items: all as MergeRule,
  propertyNames: all as MergeRule,
  additionalProperties: all as MergeRule,
  properties: mergeMembers as MergeRule,
  enum: commonValues as MergeRule,
  type: commonTypes as MergeRule,
}

/** What is said of a schema, and asked of no value. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions', 'title', 'description', 'default'],
  ...[
    'examples',
    'deprecated',
    'readOnly',
    'writeOnly',
    'contentEncoding',
    'contentMediaType',
    'contentSchema',
  ],
])

/** Whether a schema lets anything be. */
export const isFree = (schema: unknown): boolean =>
  schema === true || (isObject(schema) && Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword)))

export function merge(one: JsonObject, other: JsonObject): Merged {
  const [first, second] = [withEnum(one), withEnum(other)]
  const merged: { [keyword: string]: unknown } = { ...first }
  let isExact = areClosedAlike(first, second)
  for (const [keyword, value] of Object.entries(second)) {
    if (ANNOTATIONS.has(keyword) || canonical(merged[keyword]) === canonical(value)) continue
    if (merged[keyword] === undefined) merged[keyword] = value
    else {
      const joined = (RULES[keyword] as ((one: unknown, other: unknown) => unknown) | undefined)?.(
        merged[keyword],
        value,
      ) // Which rule is for which keyword says the table.
      if (joined === NOTHING) return { schema: undefined, isExact: true }
      if (joined === undefined) isExact = false
      else merged[keyword] = joined
    }
  }
  return { schema: merged, isExact }
}

const NOTHING = Symbol('nothing')

function withEnum({ const: value, ...schema }: JsonObject): JsonObject {
  return value === undefined ? schema : { ...schema, enum: [value] }
}

/** What is closed speaks of its own members, and of those of nobody else. */
function areClosedAlike(one: JsonObject, other: JsonObject): boolean {
  const isOpen = ({ additionalProperties: rest = true }: JsonObject) => rest === true
  if (isOpen(one) && isOpen(other)) return true
  return canonical(membersOf(one)) === canonical(membersOf(other))
}

const membersOf = ({ properties }: JsonObject) => (isObject(properties) ? Object.keys(properties).sort() : [])

function mergeMembers(one: JsonObject, other: JsonObject): JsonObject {
  const shared = Object.entries(other).map(([name, schema]) => [
    name,
    Object.hasOwn(one, name) ? all(one[name], schema) : schema,
  ])
  return { ...one, ...Object.fromEntries(shared) }
}

function commonValues(one: readonly unknown[], other: readonly unknown[]): unknown {
  const known = new Set(other.map(canonical))
  const common = one.filter((value) => known.has(canonical(value)))
  return common.length === 0 ? NOTHING : common
}

function commonTypes(one: unknown, other: unknown): unknown {
  const [some, others] = [namesOf(one), namesOf(other)]
  const common = new Set(some.filter((name) => others.includes(name)))
  const isPart = (list: readonly unknown[], rest: readonly unknown[]) =>
    list.includes('integer') && rest.includes('number')
  if (isPart(some, others) || isPart(others, some)) common.add('integer')
  return common.size === 0 ? NOTHING : [...common]
}

const namesOf = (type: unknown): readonly unknown[] => (Array.isArray(type) ? type : [type])
