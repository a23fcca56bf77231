import { describe, flagOf, isObject, type JsonObject } from '../../kernel/index.ts'
import { type Draft, dialectOfVocabulary, draft202012, findDialect, type Holds } from './dialects.ts'
import { findMetaSchema } from './meta-schemas.ts'
import {
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

const MAX_DEPTH = 128

/** A schema, the parts of it that can be referred to, and everything that it refers to. */
export class Documents {
  readonly root: Location
  /** The references, by the schema that they stand in. */
  readonly references = new Map<object, Reference>()
  readonly resources = new Map<string, SchemaResource>()
  hasDynamicReferences = false
  parts = 0
  readonly formats: 'noted' | 'asserted'
  readonly #options: DocumentsOptions
  readonly #byRoot = new Map<object, SchemaResource>()
  readonly #scanned = new Set<object>()
  readonly #targets = new Set<unknown>()
  readonly #unresolved: { readonly keyword: '$ref' | '$dynamicRef'; readonly from: Location }[] = []

  constructor(schema: unknown, options: DocumentsOptions) {
    this.#options = options
    this.formats = options.formats
    this.root = this.#add(schema, NAMELESS, draft202012())
    for (let next = this.#unresolved.pop(); next !== undefined; next = this.#unresolved.pop()) {
      this.#resolve(next.keyword, next.from)
    }
  }

  /** Which resource a schema belongs to that stands directly under one of `within`. */
  resourceOf(schema: unknown, within: SchemaResource): SchemaResource {
    return (isObject(schema) && this.#byRoot.get(schema)) || within
  }

  /** Whether a reference leads to this very schema. */
  isReferredTo(schema: object): boolean {
    return this.#targets.has(schema)
  }

  checkDepth(depth: number, pointer: string): void {
    if (depth > MAX_DEPTH) fail(pointer, `expected at most ${MAX_DEPTH} schemas inside each other`)
  }

  count(parts: number, pointer: string): void {
    this.parts += parts
    this.checkSize(this.parts, pointer)
  }

  checkSize(parts: number, pointer: string): void {
    const { maxParts } = this.#options
    if (parts > maxParts)
      fail(
        pointer,
        `expected a schema of at most ${maxParts} parts, and here are more (--${flagOf('maxSchemaParts')})`,
      )
  }

  countData(value: unknown, pointer: string, depth = 0): void {
    if (depth > MAX_DEPTH) fail(pointer, `expected at most ${MAX_DEPTH} values inside each other`)
    this.count(1, pointer)
    if (typeof value !== 'object' || value === null) return
    for (const part of Object.values(value)) this.countData(part, pointer, depth + 1)
  }

  /** A schema that does not say what it is written in is like the one that refers to it. */
  #add(schema: unknown, uri: string, dialect: Draft): Location {
    const resource = createResource({
      uri,
      root: schema,
      pointer: '',
      dialect: this.#dialectOf(schema, dialect, ''),
    })
    this.resources.set(uri, resource)
    this.#scan({ schema, resource, pointer: '' }, 0)
    return { schema, resource: this.resourceOf(schema, resource), pointer: '' }
  }

  /** Finds every `$id`, anchor and reference; the schemas themselves are looked at when they are compiled. */
  #scan({ schema, resource: outer, pointer }: Location, depth: number): void {
    if (typeof schema === 'boolean') return this.count(1, pointer)
    if (!isObject(schema) || this.#scanned.has(schema)) return
    this.checkDepth(depth, pointer)
    this.#scanned.add(schema)
    this.count(1, pointer)
    const resource = this.#enter(schema, outer, pointer)
    const { dialect } = resource
    const here = { schema, resource, pointer }
    this.#anchor(here)
    if (typeof schema['$ref'] === 'string') this.#unresolved.push({ keyword: '$ref', from: here })
    if (typeof schema['$dynamicRef'] === 'string' && dialect.keywords.has('$dynamicRef')) {
      this.hasDynamicReferences = true
      this.#unresolved.push({ keyword: '$dynamicRef', from: here })
    }
    for (const keyword of Object.keys(schema)) {
      const holds = dialect.holders.get(keyword)
      const held = { schema: schema[keyword], resource, pointer: `${pointer}/${keyword}` }
      if (holds !== undefined) this.#scanHeld(holds, held, depth)
    }
  }

  /** The schemas that a keyword holds. */
  #scanHeld(holds: Holds, { schema: held, resource, pointer }: Location, depth: number): void {
    if (Array.isArray(held)) {
      if (!holds.endsWith('list')) return
      for (const [index, schema] of held.entries()) {
        this.#scan({ schema, resource, pointer: `${pointer}/${index}` }, depth + 1)
      }
    } else if (holds.startsWith('schema') || !isObject(held)) {
      this.#scan({ schema: held, resource, pointer }, depth + 1)
    } else {
      for (const name of Object.keys(held)) {
        this.#scan({ schema: held[name], resource, pointer: `${pointer}/${escapeKey(name)}` }, depth + 1)
      }
    }
  }

  /** The resource that a schema belongs to: its own, if it has an `$id`. */
  #enter(schema: JsonObject, outer: SchemaResource, pointer: string): SchemaResource {
    const { $id, $ref } = schema
    if ($id === undefined || (outer.dialect.loneRefs && $ref !== undefined)) return outer
    if (typeof $id !== 'string') fail(`${pointer}/$id`, `expected a URI, got ${describe($id)}`)
    if ($id.startsWith('#')) return outer // An anchor of draft-07.
    const uri = toUri($id, outer, `${pointer}/$id`).replace(/#.*$/, '')
    const known = this.resources.get(uri)
    if (known !== undefined && known.root !== schema) {
      fail(`${pointer}/$id`, `${$id} is the $id of another schema already`)
    }
    const resource = createResource({
      uri,
      root: schema,
      pointer,
      dialect: this.#dialectOf(schema, outer.dialect, pointer),
    })
    this.resources.set(uri, resource)
    this.#byRoot.set(schema, resource)
    return resource
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
    resource.dynamicAnchors.set(name, location)
  }

  #resolve(keyword: '$ref' | '$dynamicRef', from: Location): void {
    const schema = from.schema as JsonObject // Only objects are scanned.
    const target = this.#find(String(schema[keyword]), keyword, from)
    this.references.set(schema, { from, ...this.references.get(schema), [keyword]: target })
    this.#targets.add(target.schema)
    this.#scan(target, 0) // It may stand where no keyword of ours holds a schema.
  }

  #find(reference: string, keyword: string, { resource, pointer }: Location): Location {
    const place = `${pointer}/${keyword}`
    const uri = reference.startsWith('#') ? reference : toUri(reference, resource, place)
    const [base, fragment] = splitOnce(uri, '#')
    const found = base === '' ? resource : this.#findResource(base, resource.dialect)
    if (found === undefined) {
      fail(
        place,
        `${keyword} ${reference} is remote, and remote references are not fetched: ` +
          'put that schema into $defs with its $id, or hand it in with `schemas` in defineServer',
      )
    }
    return this.#locate(found, fragment) ?? fail(place, `${keyword} ${reference} leads nowhere`)
  }

  #findResource(uri: string, dialect: Draft): SchemaResource | undefined {
    const here = this.resources.get(uri)
    if (here !== undefined) return here
    const schema = this.#options.known.get(uri) ?? findMetaSchema(uri)
    if (schema === undefined) return undefined
    this.#add(schema, uri, dialect)
    return this.resources.get(uri)
  }

  #locate(resource: SchemaResource, fragment: string): Location | undefined {
    const decoded = decode(fragment)
    if (decoded === '') return { schema: resource.root, resource, pointer: resource.pointer }
    return decoded.startsWith('/') ? this.#follow(decoded, resource) : resource.anchors.get(decoded)
  }

  /** A JSON pointer through one resource and those that are embedded in it. */
  #follow(path: string, resource: SchemaResource): Location | undefined {
    let found: Location = { schema: resource.root, resource, pointer: resource.pointer }
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
    fail(pointer, `$schema ${uri} is not supported: use JSON Schema 2020-12 or draft-07`)
  }

  #dialectByMetaSchema(uri: string): Draft | undefined {
    const schema = this.#options.known.get(uri)
    if (!isObject(schema) || !isObject(schema['$vocabulary'])) return undefined
    return dialectOfVocabulary(schema['$vocabulary'])
  }
}
