import { isObject } from '../jsonrpc/message.ts'
import type { Validator } from '../ports/validator.ts'
import { describe } from '../words/describe.ts'
import { Mistake } from '../words/mistake.ts'

/** Throws a TypeError when a form is more than hosts can show: an object of plain values, or of lists of choices. */
export function checkForm(schema: unknown): void {
  if (isForeign(schema)) {
    throw new Mistake(
      'elicit: schema: expected a JSON Schema, got a schema of a library: with zod, give z.toJSONSchema(schema)',
    )
  }
  if (!isObject(schema) || schema['type'] !== 'object' || !isObject(schema['properties'])) {
    const got = isObject(schema) ? `type ${JSON.stringify(schema['type'])}` : describe(schema)
    throw new Mistake(`elicit: schema: expected { type: 'object', properties: { … } }, got ${got}`)
  }
  for (const [name, field] of Object.entries(schema['properties'])) checkField(name, field)
}

/** Throws a TypeError when answers to a form could not be checked. */
export function checkAnswerable(key: string, schema: unknown, validator: Validator): void {
  try {
    validator.shape(schema, 'input')
  } catch (error) {
    throw new Mistake(`elicit: the schema of ${JSON.stringify(key)}: ${(error as Error).message}`) // It throws no other.
  }
}

function isForeign(schema: unknown): boolean {
  return (
    (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema
  )
}

const PLAIN = ['string', 'number', 'integer', 'boolean']

function checkField(name: string, field: unknown): void {
  const where = `elicit: schema.properties.${name}`
  if (isForeign(field)) throw new Mistake(`${where}: expected a JSON Schema, got a schema of a library`)
  if (!isObject(field)) throw new Mistake(`${where}: expected a JSON Schema, got ${describe(field)}`)
  const { type, items } = field
  if (PLAIN.includes(String(type))) return
  if (type === 'array' && isObject(items) && ('enum' in items || 'anyOf' in items)) return
  throw new Mistake(
    `${where}: a form is flat: expected ${PLAIN.join(', ')}, or an array of choices (items.enum), got ${describe(type)}`,
  )
}
