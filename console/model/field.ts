import { isRecord, type JsonRecord } from './json.ts'
import { mergeAllOf, resolve, type Within } from './schema.ts'

interface Described {
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
}

export interface TextField extends Described {
  readonly kind: 'text'
  readonly format: 'date' | 'date-time' | 'time' | 'email' | 'uri' | 'plain'
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

export interface NumberField extends Described {
  readonly kind: 'number'
  readonly integer: boolean
  readonly minimum?: number
  readonly maximum?: number
}

export interface Choice {
  readonly value: unknown
  readonly label: string
}

export interface ObjectField extends Described {
  readonly kind: 'object'
  readonly members: readonly Member[]
}

export interface Member {
  readonly name: string
  readonly required: boolean
  readonly field: Field
}

export interface ArrayField extends Described {
  readonly kind: 'array'
  readonly item: Field
  readonly minItems: number
  readonly maxItems: number
}

export interface UnionField extends Described {
  readonly kind: 'union'
  readonly variants: readonly { readonly label: string; readonly field: Field }[]
}

/** What a person fills in for a JSON Schema. */
export type Field =
  | TextField
  | NumberField
  | ObjectField
  | ArrayField
  | UnionField
  | (Described & { readonly kind: 'boolean' })
  | (Described & { readonly kind: 'choice'; readonly choices: readonly Choice[] })
  | (Described & { readonly kind: 'choices'; readonly choices: readonly Choice[] })
  | (Described & { readonly kind: 'fixed'; readonly value: unknown })
  /** Where a form cannot say it. */
  | (Described & { readonly kind: 'json' })

/** A schema that goes deeper, in circles, or that has more to fill in is filled in as JSON from there on. */
const [MOST_DEPTH, MOST_FIELDS] = [6, 5000]

export function toField(schema: unknown): Field {
  return fieldOf(schema, { root: schema, left: MOST_FIELDS }, 0)
}

function fieldOf(schema: unknown, within: Within, depth: number): Field {
  const whole = mergeAllOf(resolve(schema, within), within)
  if (!isRecord(whole) || depth > MOST_DEPTH || within.left-- <= 0)
    return { kind: 'json', ...described(whole) }
  const about = described(whole)
  if ('const' in whole) return { kind: 'fixed', value: whole['const'], ...about }
  const choices = choicesOf(whole)
  if (choices !== undefined) return { kind: 'choice', choices, ...about }
  const variants = variantsOf(whole, within, depth)
  if (variants !== undefined) return unionOf(variants, about)
  return { ...byType(whole, within, depth), ...about } as Field // The kinds have these in common.
}

/** One variant is no choice. */
function unionOf(variants: UnionField['variants'], about: Described): Field {
  const [first, ...more] = variants
  return first !== undefined && more.length === 0
    ? { ...first.field, ...about }
    : { kind: 'union', variants, ...about }
}

function described(schema: unknown): Described {
  if (!isRecord(schema)) return {}
  const { title, description } = schema
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...('default' in schema && { default: schema['default'] }),
  }
}

/** `enum`, with its names where there are some, or a list of constants with titles. */
function choicesOf(schema: JsonRecord): readonly Choice[] | undefined {
  const names = Array.isArray(schema['enumNames']) ? schema['enumNames'] : []
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((value, index) => ({ value, label: String(names[index] ?? labelOf(value)) }))
  const titled = schema['oneOf'] ?? schema['anyOf']
  if (!Array.isArray(titled) || titled.length === 0) return undefined
  if (!titled.every((one) => isRecord(one) && 'const' in one)) return undefined
  return titled.map((one) => ({ value: one.const, label: String(one.title ?? labelOf(one.const)) }))
}

function labelOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function variantsOf(schema: JsonRecord, within: Within, depth: number): UnionField['variants'] | undefined {
  const { type } = schema
  const listed = schema['oneOf'] ?? schema['anyOf']
  if (Array.isArray(listed) && listed.length > 0) {
    const { oneOf: _, anyOf: __, description: ___, title: ____, default: _____, ...shared } = schema
    return listed.map((one, index) => {
      const whole = resolve(one, within)
      const merged = isRecord(whole) ? mergeAllOf({ allOf: [shared, whole] }, within) : whole
      return { label: variantLabel(whole, index), field: fieldOf(merged, within, depth + 1) }
    })
  }
  if (!Array.isArray(type)) return undefined
  return type.map((one) => ({
    label: String(one),
    field: fieldOf({ ...schema, type: one }, within, depth + 1),
  }))
}

/** What tells a variant from its siblings: its title, what it says it is, its type. */
function variantLabel(schema: unknown, index: number): string {
  if (!isRecord(schema)) return `variant ${index + 1}`
  if (typeof schema['title'] === 'string') return schema['title']
  if ('const' in schema) return labelOf(schema['const'])
  const { properties } = schema
  const fixed = isRecord(properties)
    ? Object.values(properties).find((one) => isRecord(one) && typeof one['const'] === 'string')
    : undefined
  if (isRecord(fixed)) return String(fixed['const'])
  if (isRecord(properties)) return Object.keys(properties).slice(0, 3).join(', ') || 'object'
  return typeof schema['type'] === 'string' ? schema['type'] : `variant ${index + 1}`
}

const FORMATS = ['date', 'date-time', 'time', 'email', 'uri'] as const

function byType(schema: JsonRecord, within: Within, depth: number): Field {
  const type = schema['type'] ?? (isRecord(schema['properties']) ? 'object' : undefined)
  if (type === 'string') return textOf(schema)
  if (type === 'number' || type === 'integer')
    return { kind: 'number', integer: type === 'integer', ...numbers(schema, 'minimum', 'maximum') }
  if (type === 'boolean') return { kind: 'boolean' }
  if (type === 'null') return { kind: 'fixed', value: null }
  if (type === 'array') return arrayOf(schema, within, depth)
  return type === 'object' ? objectOf(schema, within, depth) : { kind: 'json' }
}

function textOf(schema: JsonRecord): TextField {
  const format = FORMATS.find((one) => one === schema['format']) ?? 'plain'
  const pattern = schema['pattern']
  return {
    kind: 'text',
    format,
    ...numbers(schema, 'minLength', 'maxLength'),
    ...(typeof pattern === 'string' && { pattern }),
  }
}

function numbers(schema: JsonRecord, ...names: readonly string[]): { [name: string]: number } {
  return Object.fromEntries(
    names.map((name) => [name, schema[name]]).filter(([, one]) => typeof one === 'number'),
  )
}

function arrayOf(schema: JsonRecord, within: Within, depth: number): Field {
  const items = resolve(schema['items'], within)
  if (!isRecord(items) || 'prefixItems' in schema) return { kind: 'json' }
  const choices = choicesOf(items)
  if (choices !== undefined) return { kind: 'choices', choices }
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = numbers(schema, 'minItems', 'maxItems')
  return { kind: 'array', item: fieldOf(items, within, depth + 1), minItems, maxItems }
}

/** What may have any members is written as JSON. */
function objectOf(schema: JsonRecord, within: Within, depth: number): Field {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const names = Object.keys(properties)
  const isOpen = 'patternProperties' in schema || isRecord(schema['additionalProperties'])
  if (names.length === 0 && (isOpen || depth > 0)) return { kind: 'json' }
  return {
    kind: 'object',
    members: names.map((name) => ({
      name,
      required: required.includes(name),
      field: fieldOf(properties[name], within, depth + 1),
    })),
  }
}
