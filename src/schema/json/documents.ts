import { describe, isObject, type JsonObject } from '../../kernel/index.ts'
import { shorten } from '../problems.ts'
import { type Draft, dialectOfVocabulary, draft202012, findDialect, type Holds } from './dialects.ts'
import { keysOf } from './keys.ts'
import { findMetaSchema } from './meta-schemas.ts'
import { DRAFTS } from './names.ts'
import {
  ByResource,
  checkAnchor,
  createResource,
  decode,
  escapeKey,
  fail,
  type Location,
  type Reference,
  type SchemaResource,
  splitOnce,
  toUri,
} from './resource.ts'
import { SchemaSize } from './size.ts'

export interface DocumentsOptions {
  /** Schemas that may be referred to by their URI; nothing is ever fetched. */
  readonly known: ReadonlyMap<string, unknown>
  /** Whether a text that is not of its `format` is refused, where its dialect does not say so itself. */
  readonly formats: 'noted' | 'asserted'
  /** How many parts, that is schemas and values of an `enum`, a schema may have. */
  readonly maxParts: number
}

/** What a schema without an `$id` is called by, so that relative references have something to be relative to. */
const NAMELESS = 'json-schema:///'

/** A schema, the parts of it that can be referred to, and everything that it refers to. */
export class Documents {
  readonly root: Location
  /** The references, by the schema that they stand in. */
  readonly references = new ByResource<Reference>()
  /** Every resource that has a dynamic anchor, by its name, and where. */
  readonly dynamicAnchors = new Map<string, Map<SchemaResource, Location>>()
  hasDynamicReferences = false
  readonly size: SchemaSize
  readonly formats: 'noted' | 'asserted'
  readonly #options: DocumentsOptions
  /** Resources with an `$id` of their own, by the one that they stand in. */
  readonly #embedded = new ByResource<SchemaResource>()
  readonly #scanned = new ByResource<true>()
  readonly #resources = new Map<string, SchemaResource>()
  readonly #targets = new Set<unknown>()
  readonly #unresolved: { readonly keyword: '$ref' | '$dynamicRef'; readonly from: Location }[] = []

  constructor(schema: unknown, options: DocumentsOptions) {
    this.#options = options
    this.size = new SchemaSize(options.maxParts)
    this.formats = options.formats
    this.root = this.#add(schema, NAMELESS, draft202012())
    for (let next = this.#unresolved.pop(); next !== undefined; next = this.#unresolved.pop()) {
      this.#resolve(next.keyword, next.from)
    }
  }

  /** Which resource a schema belongs to that stands directly under one of `within`. */
  resourceOf(schema: unknown, within: SchemaResource): SchemaResource {
    return this.#embedded.get(within, schema) ?? within
  }

  /** Whether a reference leads to this very schema. */
  isReferredTo(schema: object): boolean {
    return this.#targets.has(schema)
  }

  /** A schema that does not say what it is written in is like the one that refers to it. */
  #add(schema: unknown, uri: string, dialect: Draft): Location {
    const pointer = uri === NAMELESS ? '' : `${uri}#` // In another document.
    const own = this.#dialectOf(schema, dialect, pointer)
    const resource = createResource({ uri, root: schema, pointer, dialect: own })
    this.#resources.set(uri, resource)
    const location = this.#enter({ schema, resource, pointer })
    this.#scan(location, 0)
    return location
  }

  /** Finds every `$id`, anchor and reference; the schemas themselves are looked at when they are compiled. */
  #scan(here: Location, depth: number): void {
    const { schema, resource, pointer } = here
    if (typeof schema === 'boolean') return this.size.count(1, pointer)
    if (!isObject(schema) || this.#scanned.get(resource, schema)) return
    this.size.checkDepth(depth, pointer)
    this.#scanned.set(resource, schema, true)
    this.size.count(1, pointer)
    const { dialect } = resource
    this.#anchor(here)
    if (typeof schema['$ref'] === 'string') this.#unresolved.push({ keyword: '$ref', from: here })
    if (typeof schema['$dynamicRef'] === 'string' && dialect.keywords.has('$dynamicRef')) {
      this.hasDynamicReferences = true
      this.#unresolved.push({ keyword: '$dynamicRef', from: here })
    }
    const keywords = keysOf(schema)
    this.size.check(keywords.length, pointer)
    for (const keyword of keywords) {
      const holds = dialect.holders.get(keyword)
      const held = { schema: schema[keyword], resource, pointer: `${pointer}/${keyword}` }
      if (holds === undefined) this.size.checkNote(held)
      else this.#scanHeld(holds, held, depth)
    }
  }

  /** The schemas that a keyword holds. */
  #scanHeld(holds: Holds, held: Location, depth: number): void {
    const { schema, resource, pointer } = held
    const go = (location: Location) => this.#scan(this.#enter(location), depth + 1)
    if (Array.isArray(schema)) {
      if (!holds.endsWith('list')) return
      this.size.check(schema.length, pointer)
      for (const [index, part] of schema.entries())
        go({ schema: part, resource, pointer: `${pointer}/${index}` })
    } else if (holds.startsWith('schema') || !isObject(schema)) go(held)
    else {
      const names = keysOf(schema)
      this.size.check(names.length, pointer)
      for (const name of names) {
        go({ schema: schema[name], resource, pointer: `${pointer}/${escapeKey(name)}` })
      }
    }
  }

  /** A schema with an `$id` is a resource of its own. */
  #enter(location: Location): Location {
    const { schema, resource: outer, pointer } = location
    if (!isObject(schema)) return location
    const { $id, $ref } = schema
    if ($id === undefined || (outer.dialect.loneRefs && $ref !== undefined)) return location
    if (typeof $id !== 'string') fail(`${pointer}/$id`, `expected a URI, got ${describe($id)}`)
    if ($id.startsWith('#')) return location // An anchor of draft-07.
    const uri = toUri($id, outer, `${pointer}/$id`).replace(/#.*$/, '')
    const known = this.#resources.get(uri)
    if (known !== undefined && known.root !== schema) {
      fail(`${pointer}/$id`, `${shorten($id)} is the $id of another schema already`)
    }
    if (known === undefined) this.size.countResource(uri, `${pointer}/$id`)
    const dialect = this.#dialectOf(schema, outer.dialect, pointer)
    const resource = known ?? createResource({ uri, root: schema, pointer, dialect })
    this.#resources.set(uri, resource)
    this.#embedded.set(outer, schema, resource)
    return { schema, resource, pointer }
  }

  #anchor(location: Location): void {
    const { resource, pointer } = location
    const { $id, $ref, $anchor, $dynamicAnchor } = location.schema as JsonObject // Only objects are scanned.
    const { loneRefs, keywords } = resource.dialect
    if (loneRefs && $ref === undefined && typeof $id === 'string' && $id.startsWith('#')) {
      resource.anchors.set($id.slice(1), location)
    }
    if (!keywords.has('$anchor')) return
    if ($anchor !== undefined) resource.anchors.set(checkAnchor($anchor, `${pointer}/$anchor`), location)
    if ($dynamicAnchor === undefined) return
    const name = checkAnchor($dynamicAnchor, `${pointer}/$dynamicAnchor`)
    resource.anchors.set(name, location)
    const known = this.dynamicAnchors.get(name) ?? new Map<SchemaResource, Location>()
    this.dynamicAnchors.set(name, known.set(resource, location))
  }

  #resolve(keyword: '$ref' | '$dynamicRef', from: Location): void {
    const schema = from.schema as JsonObject // Only objects are scanned.
    const found = this.#find(String(schema[keyword]), keyword, from)
    const target = found.resource.root === found.schema ? found : this.#enter(found)
    const known = this.references.get(from.resource, schema)
    this.references.set(from.resource, schema, { from, ...known, [keyword]: target })
    this.#targets.add(target.schema)
    this.#scan(target, 0) // It may stand where no keyword of ours holds a schema.
  }

  #find(reference: string, keyword: string, { resource, pointer }: Location): Location {
    const place = `${pointer}/${keyword}`
    this.size.countUri(reference, place)
    const uri = reference.startsWith('#') ? reference : toUri(reference, resource, place)
    const [base, fragment] = splitOnce(uri, '#')
    const found = base === '' ? resource : this.#findResource(base, resource.dialect)
    if (found === undefined) {
      fail(
        place,
        `${keyword} ${shorten(reference)} is remote, and remote references are not fetched: ` +
          'put that schema into $defs with its $id, or hand it in with `schemas` in defineServer',
      )
    }
    return this.#locate(found, fragment) ?? fail(place, `${keyword} ${shorten(reference)} leads nowhere`)
  }

  #findResource(uri: string, dialect: Draft): SchemaResource | undefined {
    const here = this.#resources.get(uri)
    if (here !== undefined) return here
    const schema = this.#options.known.get(uri) ?? findMetaSchema(uri)
    if (schema === undefined) return undefined
    this.#add(schema, uri, dialect)
    return this.#resources.get(uri)
  }

  #locate(resource: SchemaResource, fragment: string): Location | undefined {
    const decoded = decode(fragment)
    const { root: schema, pointer } = resource
    const root = { schema, resource: this.resourceOf(schema, resource), pointer }
    if (decoded === '') return root
    return decoded.startsWith('/') ? this.#follow(decoded, root) : root.resource.anchors.get(decoded)
  }

  /** A JSON pointer through one resource and those that are embedded in it. */
  #follow(path: string, root: Location): Location | undefined {
    let found = root
    for (const part of path.split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof found.schema !== 'object' || found.schema === null || !Object.hasOwn(found.schema, key)) {
        return undefined
      }
      const schema = (found.schema as JsonObject)[key]
      const inner = this.resourceOf(schema, found.resource)
      found = { schema, resource: inner, pointer: `${found.pointer}/${part}` }
    }
    return found
  }

  #dialectOf(schema: unknown, outer: Draft, pointer: string): Draft {
    if (!isObject(schema) || schema['$schema'] === undefined) return outer
    const { $schema } = schema
    if (typeof $schema !== 'string') fail(`${pointer}/$schema`, `expected a URI, got ${describe($schema)}`)
    const uri = $schema.replace(/#$/, '')
    const dialect = findDialect(uri) ?? this.#dialectByMetaSchema(uri)
    if (dialect !== undefined) return dialect
    const known = Object.values(DRAFTS).join(', ')
    fail(pointer, `$schema ${shorten(uri)} is not supported: use JSON Schema 2020-12 or draft-07 (${known})`)
  }

  #dialectByMetaSchema(uri: string): Draft | undefined {
    const schema = this.#options.known.get(uri)
    if (!isObject(schema) || !isObject(schema['$vocabulary'])) return undefined
    return dialectOfVocabulary(schema['$vocabulary'])
  }
}
