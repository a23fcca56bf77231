import type { JsonObject, Reading, Shape } from '../kernel/index.ts'
import { type Compiled, compile, DEFAULT_DIALECT, isKnownDialect } from './ajv.ts'
import { toProblems } from './problems.ts'

/** A JSON Schema literal; the checks that need no compiling are made at once. */
export function jsonSchemaShape(schema: JsonObject): Shape {
  const dialect = dialectOf(schema)
  refuseRemoteReferences(schema)
  let compiled: Compiled | undefined
  return {
    schema,
    read(value): Reading {
      compiled ??= compile(schema, dialect)
      const errors = compiled(value)
      return errors.length === 0 ? { value } : { problems: toProblems(errors) }
    },
  }
}

function dialectOf(schema: JsonObject): string {
  const { $schema } = schema
  if ($schema === undefined) return DEFAULT_DIALECT
  const dialect = String($schema).replace(/#$/, '')
  if (isKnownDialect(dialect)) return dialect
  throw new TypeError(`$schema ${dialect} is not supported: use JSON Schema 2020-12 or draft-07`)
}

/** Nothing is ever fetched, so a reference that would have to be is a mistake we can name. */
function refuseRemoteReferences(schema: unknown): void {
  if (Array.isArray(schema)) for (const part of schema) refuseRemoteReferences(part)
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, part] of Object.entries(schema)) {
    if (
      (key === '$ref' || key === '$dynamicRef') &&
      typeof part === 'string' &&
      /^[a-z][a-z0-9+.-]*:/i.test(part)
    ) {
      throw new TypeError(`${key} ${part} is remote, and remote references are not fetched`)
    }
    refuseRemoteReferences(part)
  }
}
