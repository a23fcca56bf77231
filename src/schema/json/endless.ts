import { isObject, type JsonObject } from '../../kernel/index.ts'
import type { Documents } from './documents.ts'
import { fail, type Location } from './resource.ts'

const LISTS = ['allOf', 'anyOf', 'oneOf']
const SINGLE = ['not', 'if', 'then', 'else']
const MAPS = ['dependentSchemas', 'dependencies']

/** A schema that leads back to itself for the very same value could be checked for ever. */
export function refuseEndless(documents: Documents): void {
  const done = new Set<object>()
  for (const { from } of documents.references.values()) search(from, documents, done)
}

/** Goes wherever the same value is checked next; what is met again on the way is a circle. */
function search(start: Location, documents: Documents, done: Set<object>): void {
  const way = new Set<object>()
  const stack: { readonly schema: object; readonly next: object[] }[] = []
  const go = (schema: object) => {
    if (done.has(schema)) return
    if (way.has(schema)) {
      fail(start.pointer, 'this reference leads back to itself without going into the value: it has no end')
    }
    way.add(schema)
    stack.push({ schema, next: onward(schema as JsonObject, documents) })
  }
  go(start.schema as object) // Only objects hold references.
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.next.pop()
    if (next !== undefined) go(next)
    else {
      done.add(top.schema)
      way.delete(top.schema)
      stack.pop()
    }
  }
}

function onward(schema: JsonObject, { references }: Documents): object[] {
  const reference = references.get(schema)
  const referred = reference?.$ref === undefined ? [] : [reference.$ref.schema]
  if (referred.length > 0 && reference?.from.resource.dialect.loneRefs) return referred.filter(isObject)
  const beside = [
    ...LISTS.flatMap((keyword) => schema[keyword] ?? []),
    ...SINGLE.map((keyword) => schema[keyword]),
    ...MAPS.flatMap((keyword) => Object.values(schema[keyword] ?? {})),
  ]
  return [...referred, ...beside].filter(isObject)
}
