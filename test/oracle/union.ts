import { isObject, type JsonObject } from '../../src/kernel/index.ts'
import type { Spec } from './spec.ts'

/** The names of a union's members; a union that is not there, or is no union, has none. */
export function members(spec: Spec, union: string): readonly string[] {
  const { anyOf } = spec.definitions[union] ?? {}
  if (!Array.isArray(anyOf)) return []
  return anyOf.map((one: JsonObject) => String(one['$ref']).split('/').at(-1) ?? '')
}

/** The method constants of a union of messages, by the name of the member that has it. */
export function methods(spec: Spec, union: string): ReadonlyMap<string, string> {
  return new Map(members(spec, union).map((name) => [constant(spec, name, 'method'), name]))
}

/** What a definition demands of a member, where that is one value. */
export function constant(spec: Spec, definition: string, property: string): string {
  const schema = properties(spec, definition)[property]
  return isObject(schema) ? String(schema['const']) : ''
}

export function properties(spec: Spec, definition: string): JsonObject {
  const found = spec.definitions[definition]?.['properties']
  return isObject(found) ? found : {}
}

export function optionalProperties(spec: Spec, definition: string): readonly string[] {
  const required = (spec.definitions[definition]?.['required'] ?? []) as readonly string[] // The keyword's own form.
  return Object.keys(properties(spec, definition)).filter((name) => !required.includes(name))
}
