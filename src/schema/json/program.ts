import { describe, isObject, type JsonObject } from '../../kernel/index.ts'
import type { Problems } from '../problems.ts'
import type { Documents } from './documents.ts'
import { compileKeywords } from './keywords/index.ts'
import { type Compiler, SchemaPlace } from './place.ts'
import { ByResource, fail, type Location, type SchemaResource } from './resource.ts'
import { ANYTHING, NOTHING, type Rule, type ValueCheck } from './rule.ts'
import { Scope } from './scope.ts'

/** Everything that one schema needs, compiled into functions. */
export class Program implements Compiler {
  readonly documents: Documents
  readonly scope = new Scope()
  readonly root: Rule
  readonly #entries = new ByResource<ProgramEntry>()
  readonly #waiting: ProgramEntry[] = []
  readonly #candidates = new Map<string, ReadonlyMap<SchemaResource, Rule>>()
  #size = 0

  constructor(documents: Documents) {
    this.documents = documents
    this.root = this.compile(documents.root, 0)
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) this.#finish(next)
  }

  /** A schema as a rule, at once. */
  compile(location: Location, depth: number): Rule {
    const { schema, pointer } = location
    if (schema === true) return ANYTHING
    if (schema === false) return NOTHING
    if (!isObject(schema)) fail(pointer, `expected a schema, got ${describe(schema)}`)
    if (!this.documents.isReferredTo(schema)) return this.#rule(location, schema, depth)
    const entry = this.#entry(location, schema)
    this.#finish(entry)
    return entry
  }

  /** A schema that something refers to. It is compiled when all else is, however long the chain of references. */
  refer(location: Location): Rule {
    if (!isObject(location.schema)) return this.compile(location, 0)
    const entry = this.#entry(location, location.schema)
    if (entry.location !== undefined) this.#waiting.push(entry)
    return entry
  }

  /** What a dynamic reference to this anchor may mean; all such references have it in common. */
  candidates(anchor: string): ReadonlyMap<SchemaResource, Rule> {
    const known = this.#candidates.get(anchor)
    if (known !== undefined) return known
    const candidates = new Map<SchemaResource, Rule>()
    this.#candidates.set(anchor, candidates)
    for (const [resource, location] of this.documents.dynamicAnchors.get(anchor) ?? []) {
      candidates.set(resource, this.scope.entering(resource, this.refer(location)))
    }
    return candidates
  }

  #rule(location: Location, schema: JsonObject, depth: number): Rule {
    this.documents.size.checkDepth(depth, location.pointer)
    this.#size += 1
    this.documents.size.check(this.#size, location.pointer) // One object may stand in many places.
    const rule = compileKeywords(new SchemaPlace({ location, schema, depth, program: this }))
    const isScope = this.documents.hasDynamicReferences && schema === location.resource.root
    return isScope ? this.scope.entering(location.resource, rule) : rule
  }

  #entry(location: Location, schema: object): ProgramEntry {
    const entry = this.#entries.get(location.resource, schema) ?? new ProgramEntry(location)
    this.#entries.set(location.resource, schema, entry)
    return entry
  }

  #finish(entry: ProgramEntry): void {
    const { location } = entry
    if (location === undefined) return
    entry.location = undefined
    entry.become(this.#rule(location, location.schema as JsonObject, 0)) // Only objects have entries.
  }
}

/** A schema that something refers to, which takes hold of it before it is compiled. */
class ProgramEntry implements Rule {
  check: ValueCheck = ANYTHING.check
  mark: Rule['mark']
  #rule: Rule = ANYTHING
  /** Until it is compiled. */
  location: Location | undefined

  constructor(location: Location) {
    this.location = location
  }

  become(rule: Rule): void {
    this.#rule = rule
    this.check = rule.check
    this.mark = rule.mark
  }

  explain(value: unknown, path: string, problems: Problems): void {
    this.#rule.explain(value, path, problems)
  }
}
