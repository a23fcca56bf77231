import {
  type Elicited,
  elicit as elicitForm,
  isObject,
  type JsonObject,
  type Question,
} from '../kernel/index.ts'
import { isStandardSchema, type Standard, toJsonSchema } from '../schema/standard.ts'
import type { Accepted } from './infer.ts'

/** A form for the user; `schema` is an object of plain values, as a JSON Schema or in the words of a library. */
export interface Form<Schema> {
  readonly message: string
  readonly schema: Schema
}

/**
 * Asks the user to fill in a flat form; the schema types the answer, and one that does not fit is not let through.
 * @example
 * const schema = { type: 'object', properties: { drink: { enum: ['tea', 'coffee'] } } } as const
 * const asked = call.ask({ drink: elicit({ message: 'What will it be?', schema }) })
 */
export function elicit<const Schema>(form: Form<Schema>): Question<Elicited<Accepted<Schema>>> {
  const { message, schema } = form ?? {}
  return elicitForm({ message, schema: (isStandardSchema(schema) ? toForm(schema) : schema) as JsonObject }) // It is looked at there.
}

/** The JSON Schema that a library writes, without what no host expects in a form. */
function toForm(schema: Standard): JsonObject {
  const { type, properties, required } = toJsonSchema(schema, 'input')
  if (!isObject(properties)) return { type, properties }
  const fields = Object.entries(properties).map(([name, field]) => [name, withType(field)])
  return { type, properties: Object.fromEntries(fields), ...(required !== undefined && { required }) }
}

/** Libraries may leave it out where the choices say it; hosts look for it. */
function withType(field: unknown): unknown {
  if (!isObject(field) || 'type' in field) return field
  const choices = Array.isArray(field['enum']) ? field['enum'] : [field['const']]
  const [type, ...others] = new Set(choices.map((one) => typeof one))
  return others.length === 0 && type !== 'undefined' ? { type, ...field } : field
}
