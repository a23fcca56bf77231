import type { JsonObject, Shape } from '../kernel/index.ts'
import { type CompileOptions, compile, stepsTaken } from './json/index.ts'

export interface JsonSchemaOptions extends CompileOptions {
  /** The largest schema and the longest check so far. */
  readonly most: { schemaParts: number; checkSteps: number }
}

/** A JSON Schema literal, compiled at once: a mistake in it is told of when it is defined. */
export function jsonSchemaShape(schema: JsonObject, options: JsonSchemaOptions): Shape {
  const { most } = options
  const { parts, check } = compile(schema, options)
  most.schemaParts = Math.max(most.schemaParts, parts)
  return {
    schema,
    read(value) {
      const problems = check(value)
      const steps = stepsTaken()
      if (steps > most.checkSteps) most.checkSteps = steps
      return problems === undefined ? { value } : { problems }
    },
  }
}
