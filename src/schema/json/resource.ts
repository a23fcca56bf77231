import { describe } from '../../kernel/index.ts'
import type { Draft } from './dialects.ts'
import { findUnsayable } from './sayable.ts'

/** A schema with a URI of its own: a document, or a part of one that has an `$id`. */
export interface SchemaResource {
  readonly uri: string
  readonly root: unknown
  /** Where it is in its document, for messages. */
  readonly pointer: string
  readonly dialect: Draft
  readonly anchors: Map<string, Location>
  readonly dynamicAnchors: Map<string, Location>
}

/** One schema: which it is, the resource that it belongs to, and the place in its document. */
export interface Location {
  readonly schema: unknown
  readonly resource: SchemaResource
  readonly pointer: string
}

/** One object may stand in several resources, and its references lead elsewhere in each. */
export class ByResource<Value> {
  readonly #values = new Map<SchemaResource, Map<unknown, Value>>()

  get(resource: SchemaResource, schema: unknown): Value | undefined {
    return this.#values.get(resource)?.get(schema)
  }

  set(resource: SchemaResource, schema: unknown, value: Value): void {
    const values = this.#values.get(resource) ?? new Map<unknown, Value>()
    this.#values.set(resource, values.set(schema, value))
  }

  *all(): Iterable<Value> {
    for (const values of this.#values.values()) yield* values.values()
  }
}

/** Where the references of one schema lead. */
export interface Reference {
  readonly from: Location
  readonly $ref?: Location
  readonly $dynamicRef?: Location
}

/** What an author got wrong, and where. */
export function fail(pointer: string, message: string): never {
  throw new TypeError(pointer === '' ? message : `at ${pointer}: ${message}`)
}

/** What is no schema is listed as it stands, and compared with what came as JSON. */
export function refuseUnsayable({ schema, pointer }: Location): void {
  const place = findUnsayable(schema)
  if (place !== undefined)
    fail(pointer + place, 'expected what can be written as JSON, at most 128 values inside each other')
}

export function createResource(of: Omit<SchemaResource, 'anchors' | 'dynamicAnchors'>): SchemaResource {
  return { ...of, anchors: new Map(), dynamicAnchors: new Map() }
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
