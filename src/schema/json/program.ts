import { describe, isObject } from '../../kernel/index.ts'
import { type Documents, fail, type Location, type Resource } from './documents.ts'
import { compileKeywords } from './keywords/index.ts'
import { Place } from './place.ts'
import { ANYTHING, type Check, NOTHING, type Rule } from './rule.ts'
import { Scope } from './scope.ts'

/** Everything that one schema needs, compiled into functions. */
export class Program {
  readonly documents: Documents
  readonly scope = new Scope()
  readonly root: Rule
  readonly #entries = new Map<Resource, Map<object, Entry>>()
  readonly #waiting: Entry[] = []

  constructor(documents: Documents) {
    this.documents = documents
    this.root = this.compile(documents.root)
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) this.#finish(next)
  }

  /** A schema as a rule, at once. */
  compile(location: Location): Rule {
    const { schema, pointer } = location
    if (schema === true) return ANYTHING
    if (schema === false) return NOTHING
    if (!isObject(schema)) fail(pointer, `expected a schema, got ${describe(schema)}`)
    const entry = this.#entry(location, schema)
    this.#finish(entry)
    return entry
  }

  /** A schema that something refers to. It is compiled when all else is, however long the chain of references. */
  refer(location: Location): Rule {
    if (!isObject(location.schema)) return this.compile(location)
    const entry = this.#entry(location, location.schema)
    if (!entry.isCompiled) this.#waiting.push(entry)
    return entry
  }

  #entry(location: Location, schema: object): Entry {
    const entries = this.#entries.get(location.resource) ?? new Map<object, Entry>()
    this.#entries.set(location.resource, entries)
    const entry = entries.get(schema) ?? new Entry(location)
    entries.set(schema, entry)
    return entry
  }

  #finish(entry: Entry): void {
    if (entry.isCompiled) return
    entry.isCompiled = true
    const { schema, resource } = entry.location
    const rule = compileKeywords(new Place(entry.location, schema as Place['schema'], this)) // Only objects have entries.
    const isScope = this.documents.hasDynamicReferences && schema === resource.root
    entry.become(isScope ? this.scope.entering(resource, rule) : rule)
  }
}

/** A schema on its way to becoming a rule: a reference takes hold of it before it has. */
class Entry implements Rule {
  check: Check = ANYTHING.check
  explain: Rule['explain'] = ANYTHING.explain
  mark: Rule['mark']
  readonly location: Location
  isCompiled = false

  constructor(location: Location) {
    this.location = location
  }

  become({ check, explain, mark }: Rule): void {
    this.check = check
    this.explain = explain
    this.mark = mark
  }
}
