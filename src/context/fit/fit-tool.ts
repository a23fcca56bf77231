import type { Implementation } from '../../kernel/index.ts'
import { isObject, type JsonObject } from '../../kernel/index.ts'
import { hostOf, type SchemaRules, type Trait } from '../hosts.ts'
import { inlined } from './refs.ts'
import { changeSchemas } from './walk.ts'

const FITTED = new WeakMap<SchemaRules, WeakMap<JsonObject, JsonObject>>()

/** How tools are listed to a host that does not take every schema; undefined for any other. */
export function fitterFor(info: Implementation | undefined): ((tool: JsonObject) => JsonObject) | undefined {
  const rules = hostOf(info)?.schemas
  return rules && ((tool) => fitToolFor(rules, tool))
}

/** A tool with schemas that a host takes: the same where it takes them as they are. */
export function fitToolFor(rules: SchemaRules, tool: JsonObject): JsonObject {
  const known = FITTED.get(rules) ?? new WeakMap<JsonObject, JsonObject>()
  FITTED.set(rules, known)
  const fitted = known.get(tool) ?? withSchemas(tool, (schema) => fitSchema(rules, schema))
  known.set(tool, fitted)
  return fitted
}

function withSchemas(tool: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const changed = ['inputSchema', 'outputSchema'].flatMap((name) => {
    const schema = tool[name]
    const fitted = isObject(schema) ? change(schema) : schema
    return JSON.stringify(fitted) === JSON.stringify(schema) ? [] : [[name, fitted] as const]
  })
  return changed.length === 0 ? tool : { ...tool, ...Object.fromEntries(changed) }
}

function fitSchema({ traits, keywords = [] }: SchemaRules, schema: JsonObject): JsonObject {
  const whole = traits.includes('refs') ? inlined(schema) : schema
  return changeSchemas(whole, (one, at) => {
    const mended = traits.reduce<JsonObject>((sum, trait) => MEND[trait]?.(sum, at) ?? sum, one)
    return tellInstead(mended, keywords)
  }) as JsonObject // A schema that is an object stays one.
}

const MEND: { readonly [trait in Trait]?: (schema: JsonObject, at: string) => JsonObject } = {
  dialect: ({ $schema, ...rest }) => rest,
  nullable: withoutNull,
  'root-union': (schema, at) => (at === '' ? tellInstead(schema, ['anyOf', 'oneOf', 'allOf']) : schema),
  'enum-values': (schema) =>
    Array.isArray(schema['enum']) && schema['enum'].some((one) => typeof one !== 'string')
      ? tellInstead(schema, ['enum'])
      : schema,
  'bare-array': (schema) =>
    schema['type'] === 'array' && !isObject(schema['items']) ? { ...schema, items: {} } : schema,
}

/** Something or null is something: a model leaves out what it does not want to say. */
function withoutNull(schema: JsonObject): JsonObject {
  const { type } = schema
  if (Array.isArray(type) && type.length === 2 && type.includes('null'))
    return { ...schema, type: type.find((one) => one !== 'null') }
  for (const name of ['anyOf', 'oneOf']) {
    const { [name]: several, ...rest } = schema
    const others = Array.isArray(several) ? several.filter((one) => !isNull(one)) : []
    if (Array.isArray(several) && others.length === 1 && several.length === 2 && isObject(others[0]))
      return { ...others[0], ...rest }
  }
  return schema
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'null'
}

/** A schema without these keywords, which its description tells instead. */
function tellInstead(schema: JsonObject, keywords: readonly string[]): JsonObject {
  const told = keywords.filter((name) => Object.hasOwn(schema, name))
  if (told.length === 0) return schema
  const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => !told.includes(name)))
  const worth = told.filter((name) => !SILENT.has(name) || schema[name] !== false)
  const words = worth.map((name) => `${name}: ${JSON.stringify(schema[name])}`).join(', ')
  if (words === '') return rest
  const before = typeof schema['description'] === 'string' ? `${schema['description']} ` : ''
  return { ...rest, description: `${before}(${words})` }
}

/** What nobody need be told: that nothing more may be said than what is asked for. */
const SILENT: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])
