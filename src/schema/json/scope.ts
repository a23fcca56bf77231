import { spend } from './effort.ts'
import type { SchemaResource } from './resource.ts'
import type { Rule } from './rule.ts'

/** The resources that a check has come through, outermost first: what a `$dynamicRef` asks. */
export class Scope {
  readonly #resources: SchemaResource[] = []

  get entered(): boolean {
    return this.#resources.length > 0
  }

  /** Forgets what a check left behind that was broken off. */
  clear(): void {
    this.#resources.length = 0
  }

  /** The outermost resource that is one of these. */
  find(among: ReadonlyMap<SchemaResource, unknown>): SchemaResource | undefined {
    spend(this.#resources.length)
    return this.#resources.find((resource) => among.has(resource))
  }

  /** A rule that is checked inside a resource. */
  entering(resource: SchemaResource, rule: Rule): Rule {
    const within = <Result>(run: () => Result): Result => {
      this.#resources.push(resource)
      const result = run()
      this.#resources.pop()
      return result
    }
    return {
      check: (value) => within(() => rule.check(value)),
      explain: (value, path, problems) => within(() => rule.explain(value, path, problems)),
      mark: (value, seen) => within(() => rule.mark?.(value, seen)),
    }
  }
}
