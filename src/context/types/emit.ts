import { isObject, type JsonObject } from '../../kernel/index.ts'
import { targetOf } from './pointer.ts'
import { comment, literal, nameOf } from './words.ts'

/** How a type is written. */
export interface Style {
  /** Whether what a schema says of a member stands before it. */
  readonly comments: boolean
  /** How deep it goes; what is further down is `unknown`. */
  readonly depth: number
}

interface TypePlace extends Style {
  /** The whole schema, which references look at. */
  readonly root: unknown
  /** The references on the way here, which a schema that contains itself has again. */
  readonly within: readonly string[]
  readonly indent: string
}

/** The TypeScript type of what a JSON Schema lets through, as far as TypeScript can say it; never a narrower one. */
export function emitType(schema: unknown, style: Style): string {
  return emit(schema, { ...style, root: schema, within: [], indent: '' })
}

function emit(schema: unknown, place: TypePlace): string {
  if (schema === false) return 'never'
  if (!isObject(schema) || place.depth < 0) return 'unknown'
  const { $ref, allOf, anyOf, oneOf } = schema
  const parts = [
    ownType(schema, place),
    typeof $ref === 'string' ? referred($ref, place) : 'unknown',
    ...listOf(allOf).map((one) => emit(one, place)),
    ...[anyOf, oneOf].map((some) =>
      Array.isArray(some) ? union(some.map((one) => emit(one, place))) : 'unknown',
    ),
  ]
  return intersection(parts)
}

/** What its own keywords say, less what it says by other schemas. */
function ownType(schema: JsonObject, place: TypePlace): string {
  const { type } = schema
  const types = Array.isArray(type) ? type : [type ?? meantType(schema)]
  const isOf = (value: unknown) =>
    type === undefined || types.some((one) => OF_TYPE[String(one)]?.(value) ?? true)
  if ('const' in schema) return isOf(schema['const']) ? literal(schema['const']) : 'never'
  if (Array.isArray(schema['enum'])) return union(schema['enum'].filter(isOf).map(literal))
  return union(types.map((one) => PRINT[String(one)]?.(schema, place) ?? 'unknown'))
}

/** Who lists properties means an object, and who says what its items are means an array. */
function meantType(schema: JsonObject): string {
  if ('properties' in schema || 'required' in schema || isObject(schema['additionalProperties']))
    return 'object'
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'unknown'
}

const OF_TYPE: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
}

const PRINT: { readonly [type: string]: (schema: JsonObject, place: TypePlace) => string } = {
  string: () => 'string',
  number: () => 'number',
  integer: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: emitArray,
  object: emitObject,
}

function emitArray(schema: JsonObject, place: TypePlace): string {
  const inner = { ...place, depth: place.depth - 1 }
  const { items, prefixItems, additionalItems, minItems } = schema
  const first = Array.isArray(items) ? items : listOf(prefixItems)
  const others = Array.isArray(items) ? additionalItems : items
  const rest = emit(others ?? true, inner)
  if (first.length === 0) return others === false ? '[]' : `${grouped(rest)}[]`
  const least = typeof minItems === 'number' ? minItems : 0
  const elements = first.map((one, at) => `${grouped(emit(one, inner))}${at < least ? '' : '?'}`)
  return `[${[...elements, ...(others === false ? [] : [`...${grouped(rest)}[]`])].join(', ')}]`
}

function emitObject(schema: JsonObject, place: TypePlace): string {
  const { properties, required, additionalProperties, patternProperties } = schema
  const inner = { ...place, depth: place.depth - 1, indent: `${place.indent}  ` }
  const known = isObject(properties) ? properties : {}
  const needed = listOf(required).filter((name) => typeof name === 'string')
  const members = [
    ...Object.entries(known).map(([name, one]) =>
      member(name, one, { place: inner, needed: needed.includes(name) }),
    ),
    ...needed.filter((name) => !Object.hasOwn(known, name)).map((name) => `${nameOf(name)}: unknown`),
  ]
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  if (members.length > 0)
    return block(
      isOpen || isObject(patternProperties) ? [...members, '[key: string]: unknown'] : members,
      place,
    )
  if (isObject(patternProperties)) return 'Record<string, unknown>'
  return `Record<string, ${additionalProperties === false ? 'never' : emit(additionalProperties ?? true, inner)}>`
}

function member(
  name: string,
  schema: unknown,
  { place, needed }: { place: TypePlace; needed: boolean },
): string {
  const said = place.comments && isObject(schema) ? comment(schema['description']) : ''
  const before = said === '' ? '' : `${said}\n${place.indent}`
  return `${before}${nameOf(name)}${needed ? '' : '?'}: ${emit(schema, place)}`
}

/** Members on one line, unless something is said of them. */
function block(members: readonly string[], { indent }: TypePlace): string {
  if (!members.some((one) => one.includes('\n'))) return `{ ${members.join('; ')} }`
  return `{\n${members.map((one) => `${indent}  ${one}`).join('\n')}\n${indent}}`
}

/** What stands elsewhere in the same schema; what contains itself ends where it begins again. */
function referred(ref: string, place: TypePlace): string {
  if (place.within.includes(ref)) return 'unknown'
  return emit(targetOf(ref, place.root), { ...place, within: [...place.within, ref], depth: place.depth - 1 })
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)].filter((one) => one !== 'never')
  if (different.includes('unknown')) return 'unknown'
  if (different.length === 0) return 'never'
  return different.length === 1 ? String(different[0]) : different.map(grouped).join(' | ')
}

function intersection(types: readonly string[]): string {
  const different = [...new Set(types)].filter((one) => one !== 'unknown')
  if (different.length === 0) return 'unknown'
  return different.length === 1 ? String(different[0]) : different.map(grouped).join(' & ')
}

function grouped(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
