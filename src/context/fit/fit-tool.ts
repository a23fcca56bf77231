import type { FittingFor, Implementation } from '../../kernel/index.ts'
import { isInvoked, isObject, type JsonObject, type ResultBudget } from '../../kernel/index.ts'
import { hostOf, type LargerResults, type SchemaRules, type Trait } from '../hosts.ts'
import { fitResult } from './fit-result.ts'
import { openedFor } from './opened.ts'
import { inlined } from './refs.ts'
import { changeSchemas } from './walk.ts'

const FITTED = new WeakMap<SchemaRules, WeakMap<JsonObject, JsonObject>>()

/** How tools are listed to a host that does not take every schema, or every result; undefined for any other. */
export function fitterFor(info: Implementation | undefined): ReturnType<FittingFor> {
  const { schemas, larger, shows } = hostOf(info) ?? {}
  if (schemas === undefined && larger === undefined && shows === undefined) return undefined
  return {
    tool: (tool, budget) => {
      const fitted = withWords(schemas === undefined ? tool : fitToolFor(schemas, tool), info)
      return larger === undefined || budget === undefined ? fitted : withRoom(fitted, larger, budget)
    },
    // A tool that calls a tool gets what it gives.
    result: (result, given) =>
      shows === undefined || isInvoked(given.call) ? result : fitResult(shows, result, given),
  }
}

/** What stands beside data can be said in it, where its host shows nothing else. */
function withWords(tool: JsonObject, info: Implementation | undefined): JsonObject {
  const { outputSchema } = tool
  if (!isObject(outputSchema)) return tool
  const open = openedFor(info, outputSchema)
  return open === outputSchema ? tool : { ...tool, outputSchema: open }
}

/** More characters make a token in no text that is worth reading. */
const CHARACTERS_A_TOKEN = 6

/** A tool that may give more than a host shows says so, unless its author has said something else. */
function withRoom(tool: JsonObject, { meta, above, upTo }: LargerResults, budget: ResultBudget): JsonObject {
  const own = isObject(tool['_meta']) ? tool['_meta'] : {}
  const characters = Math.min(upTo, budget.tokens * CHARACTERS_A_TOKEN)
  return characters <= above || meta in own ? tool : { ...tool, _meta: { ...own, [meta]: characters } }
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
  types: oneEach,
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
  const { type, enum: values } = schema
  if (Array.isArray(type) && type.length > 1 && type.includes('null')) {
    const types = type.filter((one) => one !== 'null')
    const said = Array.isArray(values) && { enum: values.filter((one) => one !== null) }
    return { ...schema, ...said, type: types.length === 1 ? types[0] : types }
  }
  for (const name of ['anyOf', 'oneOf']) {
    const { [name]: several, ...rest } = schema
    const others = Array.isArray(several) ? several.filter((one) => !isNull(one)) : []
    if (!Array.isArray(several) || others.length === 0 || others.length === several.length) continue
    return others.length === 1 && isObject(others[0])
      ? { ...others[0], ...rest }
      : { ...rest, [name]: others }
  }
  return schema
}

/** What may be of several types is one of several schemas, each with what is said of its type. */
function oneEach(schema: JsonObject): JsonObject {
  const { type, items, properties, required, ...rest } = schema
  if (!Array.isArray(type)) return schema
  const beside: { readonly [type: string]: JsonObject } = {
    array: { items: items ?? {} },
    object: { ...(properties !== undefined && { properties }), ...(required !== undefined && { required }) },
  }
  if ('anyOf' in rest || 'oneOf' in rest) return rest
  return { ...rest, anyOf: type.map((one) => ({ type: one, ...beside[String(one)] })) }
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
