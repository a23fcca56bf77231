import type { JsonObject, Shape } from '../kernel/index.ts'
import { type Compiled, type CompileOptions, compile, stepsTaken } from './json/index.ts'
import { countPlain } from './json/plain.ts'

export interface JsonSchemaOptions extends CompileOptions {
  /** The largest schema and the longest check so far. */
  readonly most: { schemaParts: number; checkSteps: number }
}

/** A JSON Schema literal. A mistake in it is told of when it is defined; where none can be, it is compiled when used. */
export function jsonSchemaShape(schema: JsonObject, options: JsonSchemaOptions): Shape {
  const { most, maxParts } = options
  const plain = countPlain(schema)
  const compiled = plain === undefined || plain > maxParts ? compile(schema, options) : undefined
  let check: Compiled['check'] =
    compiled?.check ??
    ((value) => {
      check = compile(schema, options).check
      return check(value)
    })
  most.schemaParts = Math.max(most.schemaParts, compiled?.parts ?? plain ?? 0)
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
