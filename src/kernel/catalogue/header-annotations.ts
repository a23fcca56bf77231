import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import { Mistake } from '../words/mistake.ts'

/** An argument that HTTP clients repeat in `Mcp-Param-{name}`, because its schema says `x-mcp-header`. */
export interface HeaderArgument {
  readonly name: string
  /** The chain of properties that leads to the argument. */
  readonly path: readonly string[]
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES = ['string', 'integer', 'boolean']

/** Those of a schema that has any, which has to have them where clients look for them. */
export function readAnnotations(tool: string, schema: JsonObject): readonly HeaderArgument[] {
  const found = findAnnotations(schema, [])
  const twins = twinsOf(found)
  for (const { name, path } of found) {
    if (twins.has(name.toLowerCase())) throw wrong(tool, path, `${name} is used more than once`)
    if (!TOKEN.test(name)) throw wrong(tool, path, `${JSON.stringify(name)} is no header name`)
    const { type } = propertyAt(schema, path)
    if (!TYPES.includes(String(type))) throw wrong(tool, path, `its type must be one of ${TYPES.join(', ')}`)
  }
  if (countAnnotations(schema) > found.length) {
    throw new Mistake(
      `Tool ${tool}: x-mcp-header may stand only on a property that is reached by properties alone`,
    )
  }
  return found
}

function findAnnotations(schema: JsonObject, path: readonly string[]): HeaderArgument[] {
  const { properties } = schema
  if (!isObject(properties)) return []
  return Object.entries(properties).flatMap(([key, property]) => {
    if (!isObject(property)) return []
    const here = [...path, key]
    const own = 'x-mcp-header' in property ? [{ name: String(property['x-mcp-header']), path: here }] : []
    return [...own, ...findAnnotations(property, here)]
  })
}

/** The names that more than one of them has. */
function twinsOf(found: readonly HeaderArgument[]): ReadonlySet<string> {
  const [seen, twins] = [new Set<string>(), new Set<string>()]
  for (const { name } of found) {
    const low = name.toLowerCase()
    if (seen.has(low)) twins.add(low)
    seen.add(low)
  }
  return twins
}

function propertyAt(schema: JsonObject, path: readonly string[]): JsonObject {
  return path.reduce<JsonObject>(
    (one, key) => (one['properties'] as Record<string, JsonObject>)[key] ?? {},
    schema,
  )
}

/** Those at places that `findAnnotations` does not look at count too. */
function countAnnotations(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = !Array.isArray(value) && typeof (value as JsonObject)['x-mcp-header'] === 'string' ? 1 : 0
  return Object.values(value).reduce<number>((sum, part) => sum + countAnnotations(part), own)
}

function wrong(tool: string, path: readonly string[], reason: string): TypeError {
  return new Mistake(`Tool ${tool}: x-mcp-header on ${path.join('.')}: ${reason}`)
}
