import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { isObject, type JsonObject, type Problem, type Reading, type Shape } from '../kernel/index.ts'
import { join } from './problems.ts'
import { notWritable } from './remedies.ts'

/** A schema of a library that may be able to say what it is in JSON Schema. */
export type Standard = StandardSchemaV1 & Partial<StandardJSONSchemaV1>

/** Schemas of libraries are objects or, in arktype's case, functions. */
export function isStandardSchema(schema: unknown): schema is Standard {
  if (!isObject(schema) && typeof schema !== 'function') return false
  return isObject((schema as { readonly ['~standard']?: unknown })['~standard'])
}

/** A schema of zod, valibot, arktype and their like: it lists itself, and it reads values itself. */
export function standardShape(schema: Standard, use: 'input' | 'output'): Shape {
  const standard = schema['~standard']
  return {
    schema: toJsonSchema(schema, use),
    read(value) {
      const result = standard.validate(value)
      return result instanceof Promise ? result.then(toReading) : toReading(result)
    },
  }
}

/** A JSON Schema of the same values, as the library itself writes it. */
export function toJsonSchema(schema: Standard, use: 'input' | 'output'): JsonObject {
  const { jsonSchema, vendor } = schema['~standard'] as Partial<StandardJSONSchemaV1.Props> & {
    readonly vendor: string
  }
  if (jsonSchema === undefined) throw notWritable(vendor)
  // What a library writes may itself be one of its schemas, unseen, and would be read by the library's rules.
  return { ...jsonSchema[use]({ target: 'draft-2020-12' }) }
}

function toReading(result: StandardSchemaV1.Result<unknown>): Reading {
  return result.issues === undefined ? { value: result.value } : { problems: result.issues.map(toProblem) }
}

function toProblem({ path = [], message }: StandardSchemaV1.Issue): Problem {
  const parts = path.map((part) => String(typeof part === 'object' ? part.key : part))
  return { path: parts.reduce(join, ''), message }
}
