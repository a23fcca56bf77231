import { isObject, type JsonObject } from '../../kernel/index.ts'
import type { Documents } from './documents.ts'
import { ByResource, fail, type Location } from './resource.ts'

const LISTS = ['allOf', 'anyOf', 'oneOf']
const SINGLE = ['not', 'if', 'then', 'else']
const MAPS = ['dependentSchemas', 'dependencies']

/** A schema that leads back to itself for the very same value could be checked for ever. */
export function refuseEndless(documents: Documents): void {
  const states = new ByResource<'on the way' | 'done'>()
  for (const { from } of documents.references.all()) search(from, documents, states)
}

/** Goes wherever the same value is checked next; what is met again on the way is a circle. */
function search(start: Location, documents: Documents, states: ByResource<'on the way' | 'done'>): void {
  const stack: { readonly at: Location; readonly next: Location[] }[] = []
  const go = (at: Location) => {
    const state = states.get(at.resource, at.schema)
    if (state === 'done') return
    if (state === 'on the way') {
      fail(start.pointer, 'this reference leads back to itself without going into the value: it has no end')
    }
    states.set(at.resource, at.schema, 'on the way')
    stack.push({ at, next: onward(at, documents) })
  }
  go(start)
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.next.pop()
    if (next !== undefined) go(next)
    else {
      states.set(top.at.resource, top.at.schema, 'done')
      stack.pop()
    }
  }
}

function onward({ schema: from, resource, pointer }: Location, documents: Documents): Location[] {
  const schema = from as JsonObject // Only objects are gone through.
  const referred = documents.references.get(resource, schema)?.$ref
  const targets = referred !== undefined && isObject(referred.schema) ? [referred] : []
  if (referred !== undefined && resource.dialect.loneRefs) return targets
  const beside = [
    ...LISTS.flatMap((keyword) => schema[keyword] ?? []),
    ...SINGLE.map((keyword) => schema[keyword]),
    ...MAPS.flatMap((keyword) => Object.values(schema[keyword] ?? {})),
  ].filter(isObject)
  return [
    ...targets,
    ...beside.map((part) => ({ schema: part, resource: documents.resourceOf(part, resource), pointer })),
  ]
}
