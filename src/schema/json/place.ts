import { describe, isObject, type JsonObject } from '../../kernel/index.ts'
import type { Documents } from './documents.ts'
import { compilePattern, countProperties } from './pattern/index.ts'
import { escapeKey, fail, type Location, type SchemaResource } from './resource.ts'
import type { Rule } from './rule.ts'
import type { Scope } from './scope.ts'

/** What a schema is compiled with: the documents it is part of, and rules for the schemas it contains or refers to. */
export interface Compiler {
  readonly documents: Documents
  readonly scope: Scope
  compile(location: Location, depth: number): Rule
  refer(location: Location): Rule
  candidates(anchor: string): ReadonlyMap<SchemaResource, Rule>
}

export interface PlaceOptions {
  readonly location: Location
  readonly schema: JsonObject
  /** How many schemas it is in. */
  readonly depth: number
  readonly program: Compiler
}

/** A schema that is being compiled: its keywords are read here, and a wrong one is named with its place. */
export class SchemaPlace {
  readonly schema: JsonObject
  readonly resource: SchemaResource
  readonly pointer: string
  readonly program: Compiler
  readonly #depth: number

  constructor({ location, schema, depth, program }: PlaceOptions) {
    this.schema = schema
    this.resource = location.resource
    this.pointer = location.pointer
    this.program = program
    this.#depth = depth
  }

  /** The value of a keyword that this schema has and its dialect knows. */
  get(keyword: string): unknown {
    return this.resource.dialect.keywords.has(keyword) ? this.schema[keyword] : undefined
  }

  /** Whether a text that is not of its `format` is refused. */
  get assertsFormats(): boolean {
    return this.program.documents.formats === 'asserted' || this.resource.dialect.formats === 'asserted'
  }

  /** Values that a schema holds count like parts of it. */
  countData(keyword: string, value: unknown): void {
    this.program.documents.size.countData(value, `${this.pointer}/${keyword}`)
  }

  wrong(keyword: string, expected: string, value: unknown = this.schema[keyword]): never {
    fail(`${this.pointer}/${keyword}`, `expected ${expected}, got ${describe(value)}`)
  }

  number(keyword: string): number | undefined {
    const value = this.get(keyword)
    if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
    this.wrong(keyword, 'a number')
  }

  count(keyword: string): number | undefined {
    const value = this.number(keyword)
    if (value === undefined || (Number.isInteger(value) && value >= 0)) return value
    this.wrong(keyword, 'a whole number that is not negative')
  }

  text(keyword: string): string | undefined {
    const value = this.get(keyword)
    if (value === undefined || typeof value === 'string') return value
    this.wrong(keyword, 'a string')
  }

  flag(keyword: string): boolean {
    const value = this.get(keyword)
    if (value === undefined || typeof value === 'boolean') return value ?? false
    this.wrong(keyword, 'a boolean')
  }

  /** Names of members; each counts like a part of the schema. */
  needed(keyword: string, value: unknown = this.get(keyword)): readonly string[] {
    if (value === undefined) return []
    if (!Array.isArray(value)) this.wrong(keyword, 'an array of names', value)
    this.program.documents.size.count(value.length + 1, `${this.pointer}/${keyword}`)
    const odd = value.find((name) => typeof name !== 'string')
    if (odd !== undefined) this.wrong(keyword, 'an array of names', odd)
    return value
  }

  /** A regular expression; it takes as much as a few schemas, and more if it is long or names sets of Unicode's. */
  pattern(source: string): ((text: string) => boolean) | undefined {
    this.program.documents.size.count(4 + (source.length >> 3) + 16 * countProperties(source), this.pointer)
    return compilePattern(source)
  }

  rule(keyword: string): Rule | undefined {
    const value = this.get(keyword)
    return value === undefined ? undefined : this.compile(value, `/${keyword}`)
  }

  rules(keyword: string): readonly Rule[] | undefined {
    const value = this.get(keyword)
    if (value === undefined) return undefined
    if (!Array.isArray(value) || value.length === 0) this.wrong(keyword, 'a list of schemas')
    return Array.from<unknown, Rule>(value, (part, index) => this.compile(part, `/${keyword}/${index}`)) // Holes as well.
  }

  entries(keyword: string): readonly (readonly [name: string, value: unknown])[] {
    const value = this.get(keyword)
    if (value === undefined) return []
    if (!isObject(value)) this.wrong(keyword, 'an object of schemas')
    return Object.entries(value)
  }

  rulesByName(keyword: string): readonly (readonly [name: string, rule: Rule])[] {
    return this.entries(keyword).map(([name, part]) => [name, this.compileEntry(keyword, name, part)])
  }

  compileEntry(keyword: string, name: string, part: unknown): Rule {
    return this.compile(part, `/${keyword}/${escapeKey(name)}`)
  }

  compile(schema: unknown, suffix: string): Rule {
    const resource = this.program.documents.resourceOf(schema, this.resource)
    return this.program.compile({ schema, resource, pointer: this.pointer + suffix }, this.#depth + 1)
  }
}
