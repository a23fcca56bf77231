import { describe, isObject, type Validator } from '../kernel/index.ts'
import { warmUp } from './ajv.ts'
import { jsonSchemaShape } from './json-schema.ts'
import { isStandardSchema, standardShape } from './standard.ts'

/** Fills the kernel's validator port: JSON Schema by ajv, anything else by the author's own library. */
export const validator: Validator = {
  shape(schema, use) {
    if (isStandardSchema(schema)) return standardShape(schema, use)
    if (isObject(schema)) return jsonSchemaShape(schema)
    throw new TypeError(`expected a JSON Schema or a Standard Schema, got ${describe(schema)}`)
  },
  warmUp,
}
