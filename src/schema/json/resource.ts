import { describe } from '../../kernel/index.ts'
import { shorten } from '../problems.ts'
import type { Draft } from './dialects.ts'

/** A schema with a URI of its own: a document, or a part of one that has an `$id`. */
export interface SchemaResource {
  readonly uri: string
  readonly root: unknown
  /** Where it is in its document, for messages. */
  readonly pointer: string
  readonly dialect: Draft
  readonly anchors: Map<string, Location>
}

/** One schema: which it is, the resource that it belongs to, and the place in its document. */
export interface Location {
  readonly schema: unknown
  readonly resource: SchemaResource
  readonly pointer: string
}

/** One object may stand in several resources, and its references lead elsewhere in each; nearly all stand in one. */
export class ByResource<Value> {
  readonly #first = new Map<unknown, InResource<Value>>()

  get(resource: SchemaResource, schema: unknown): Value | undefined {
    return this.#find(resource, schema)?.value
  }

  set(resource: SchemaResource, schema: unknown, value: Value): void {
    const known = this.#find(resource, schema)
    if (known !== undefined) known.value = value
    else this.#first.set(schema, { resource, value, next: this.#first.get(schema) })
  }

  *all(): Iterable<Value> {
    for (const first of this.#first.values()) {
      for (let one: InResource<Value> | undefined = first; one !== undefined; one = one.next) yield one.value
    }
  }

  #find(resource: SchemaResource, schema: unknown): InResource<Value> | undefined {
    let found = this.#first.get(schema)
    while (found !== undefined && found.resource !== resource) found = found.next
    return found
  }
}

interface InResource<Value> {
  readonly resource: SchemaResource
  value: Value
  readonly next: InResource<Value> | undefined
}

/** Where the references of one schema lead. */
export interface Reference {
  readonly from: Location
  readonly $ref?: Location
  readonly $dynamicRef?: Location
}

/** What an author got wrong, and where. */
export function fail(pointer: string, message: string): never {
  throw new TypeError(pointer === '' ? message : `at ${shorten(pointer)}: ${message}`)
}

export function createResource(of: Omit<SchemaResource, 'anchors'>): SchemaResource {
  return { ...of, anchors: new Map() }
}

export function escapeKey(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

export function checkAnchor(anchor: unknown, pointer: string): string {
  if (typeof anchor === 'string' && anchor !== '') return anchor
  fail(pointer, `expected a name, got ${describe(anchor)}`)
}

export function toUri(reference: string, { uri }: SchemaResource, pointer: string): string {
  try {
    return new URL(reference, uri).href
  } catch {
    fail(pointer, `expected a URI, got ${describe(reference)}`)
  }
}

export function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

export function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
