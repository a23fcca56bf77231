import { isObject, type JsonObject } from '../../kernel/index.ts'

/** Keywords under which names are the author's own, and the values schemas. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const ONE = new Set([
  ...['items', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
])
const SEVERAL = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])

/** Changes every schema within a schema, those inside first. */
export function changeSchemas(
  schema: unknown,
  change: (one: JsonObject, at: string) => unknown,
  at = '',
): unknown {
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).map(([name, value]) => [name, below(name, value)] as const)
  return change(Object.fromEntries(entries), at)

  function below(name: string, value: unknown): unknown {
    const go = (one: unknown, step: string) => changeSchemas(one, change, `${at}/${step}`)
    if (NAMED.has(name) && isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, go(one, `${name}/${key}`)]))
    if (SEVERAL.has(name) && Array.isArray(value))
      return value.map((one, index) => go(one, `${name}/${index}`))
    return ONE.has(name) ? go(value, name) : value
  }
}
