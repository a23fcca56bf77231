import { type Budgets, describe, isObject, settleBudgets, type Validator } from '../kernel/index.ts'
import { refuseForeign } from './foreign.ts'
import { prepare } from './json/index.ts'
import { forgetListed, listed } from './json/keys.ts'
import { jsonSchemaShape } from './json-schema.ts'
import { isStandardSchema, standardShape } from './standard.ts'

export interface ValidatorOptions {
  /** JSON Schemas that others may refer to, by their URIs. */
  readonly schemas?: { readonly [uri: string]: unknown }
  /** Whether a text that is not of its `format` is refused; 2020-12 and draft-07 have it as a note. */
  readonly formats?: 'noted' | 'asserted'
  readonly budgets?: Partial<Budgets>
}

/** Fills the kernel's validator port: JSON Schema is checked here, anything else by the author's own library. */
export function createValidator(options: ValidatorOptions = {}): Validator {
  const { schemas = {}, formats = 'noted' } = options
  const { maxSchemaParts: maxParts, maxCheckSteps: maxSteps } = settleBudgets(options.budgets)
  const most = { schemaParts: 0, checkSteps: 0 }
  const known = new Map(Object.entries(schemas).map(([uri, schema]) => [checkUri(uri), schema]))
  const settings = { known, formats, maxParts, maxSteps, most }
  return {
    shape(schema, use) {
      if (isStandardSchema(schema)) return standardShape(schema, use)
      try {
        refuseForeign(schema)
        if (isObject(schema)) return jsonSchemaShape(schema, settings)
      } finally {
        if (listed.value !== undefined) forgetListed()
      }
      throw new TypeError(`expected a JSON Schema or a Standard Schema, got ${describe(schema)}`)
    },
    prepare: () => {
      if (most.schemaParts > 0) prepare()
    },
    most,
  }
}

function checkUri(uri: string): string {
  if (URL.canParse(uri)) return new URL(uri).href.replace(/#.*$/, '')
  throw new TypeError(`schemas: expected an absolute URI as the name of each, got ${describe(uri)}`)
}
