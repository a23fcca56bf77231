import { isObject, type JsonObject } from '../../kernel/index.ts'
import { canonical } from '../canonical.ts'
import { merge } from './merge.ts'
import { resolve } from './resolve.ts'

export type ValueType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** One of the kinds of values that a schema takes. */
export interface ValueKind {
  readonly type: ValueType
  readonly schema: JsonObject
  /** Those it takes, where it names them. */
  readonly values?: readonly unknown[]
  /** Whether the schema says all there is to say, or more is asked of a value than stands here. */
  readonly isExact: boolean
}

/** A schema without references and alternatives. */
interface Alternative {
  readonly schema: JsonObject
  readonly isExact: boolean
}

/** More alternatives than these are not told apart. */
const MOST = 64
const DEEPEST = 32
const TYPES: readonly ValueType[] = ['null', 'boolean', 'number', 'string', 'array', 'object']

/** Where references lead, and how much may still be looked at: circles of them, each with branches, have no end. */
interface ReferenceWalk {
  readonly root: unknown
  readonly effort: { left: number }
}

/** Every kind of value that a schema takes. */
export function shapesOf(schema: unknown, looking: ReferenceWalk): readonly ValueKind[] {
  return alternativesOf(schema, looking, 0).flatMap(shapesOfOne)
}

function alternativesOf(schema: unknown, looking: ReferenceWalk, depth: number): readonly Alternative[] {
  if (schema === false) return []
  if (!isObject(schema)) return [{ schema: {}, isExact: true }]
  const { $ref, $dynamicRef, allOf, anyOf, oneOf, unevaluatedProperties, ...own } = schema
  const isKnown = $dynamicRef === undefined && depth < DEEPEST && looking.effort.left-- > 0
  let found: readonly Alternative[] = [{ schema: own, isExact: isKnown }]
  if (!isKnown) return found
  if (typeof $ref === 'string') {
    const target = resolve($ref, looking.root)
    found =
      target === undefined ? found.map(roughly) : both(found, alternativesOf(target, looking, depth + 1))
  }
  for (const part of listOf(allOf)) found = both(found, alternativesOf(part, looking, depth + 1))
  const branch = (part: unknown) => alternativesOf(part, looking, depth + 1)
  if (Array.isArray(anyOf)) found = both(found, anyOf.flatMap(branch))
  if (Array.isArray(oneOf)) found = both(found, exclusively(oneOf.map(branch)))
  return unevaluatedProperties === undefined ? found : found.map((one) => closed(one, unevaluatedProperties))
}

/** What is beside all that is named, once that stands in one place. */
function closed({ schema, isExact }: Alternative, rest: unknown): Alternative {
  return { schema: { additionalProperties: rest, ...schema }, isExact }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const roughly = ({ schema }: Alternative): Alternative => ({ schema, isExact: false })

function both(some: readonly Alternative[], others: readonly Alternative[]): readonly Alternative[] {
  if (some.length * others.length > MOST) return some.map(roughly)
  return some.flatMap((one) =>
    others.flatMap((other) => {
      const { schema, isExact } = merge(one.schema, other.schema)
      return schema === undefined ? [] : [{ schema, isExact: isExact && one.isExact && other.isExact }]
    }),
  )
}

/** Of alternatives that exclude each other, those that could both hold take less than they say. */
function exclusively(branches: readonly (readonly Alternative[])[]): readonly Alternative[] {
  return branches.flatMap((branch, at) => {
    const others = branches.filter((_, index) => index !== at).flat()
    return branch.map((one) => {
      const stand = shapesOfOne(one)
      const isAlone = others
        .flatMap(shapesOfOne)
        .every((other) => stand.every((shape) => isApart(shape, other)))
      return isAlone ? one : roughly(one)
    })
  })
}

function shapesOfOne({ schema, isExact }: Alternative): readonly ValueKind[] {
  const said = schema['type']
  const names: readonly unknown[] = said === undefined ? TYPES : Array.isArray(said) ? said : [said]
  const values = valuesOf(schema)
  return TYPES.flatMap((type): readonly ValueKind[] => {
    const isInteger = type === 'number' && names.includes('integer') && !names.includes('number')
    if (!isInteger && !names.includes(type)) return []
    const own = isInteger ? { ...schema, type: 'integer' } : { ...schema, type }
    if (values === undefined) return [{ type, schema: own, isExact, ...FINITE[type] }]
    const fitting = values.filter((value) => typeOf(value) === type)
    return fitting.length === 0 ? [] : [{ type, schema: own, isExact, values: fitting }]
  })
}

const FINITE: { readonly [type in ValueType]?: { readonly values: readonly unknown[] } } = {
  null: { values: [null] },
  boolean: { values: [false, true] },
}

function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined
}

function typeOf(value: unknown): ValueType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as ValueType // What JSON has no more of.
}

/** Whether no value is of both. */
export function isApart(one: ValueKind, other: ValueKind): boolean {
  if (one.type !== other.type) return true
  if (one.values !== undefined && other.values !== undefined)
    return haveNothingInCommon(one.values, other.values)
  if (one.type !== 'object') return false
  const needed = listOf(one.schema['required']).filter((name) =>
    listOf(other.schema['required']).includes(name),
  )
  return needed.some((name) => {
    const [mine, theirs] = [memberValues(one, name), memberValues(other, name)]
    return mine !== undefined && theirs !== undefined && haveNothingInCommon(mine, theirs)
  })
}

function haveNothingInCommon(some: readonly unknown[], others: readonly unknown[]): boolean {
  const known = new Set(others.map(canonical))
  return !some.some((value) => known.has(canonical(value)))
}

/** What tells one kind of object from another. */
function memberValues({ schema }: ValueKind, name: unknown): readonly unknown[] | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const member = Object.hasOwn(properties, String(name)) ? properties[String(name)] : undefined
  return isObject(member) ? valuesOf(member) : undefined
}
