import type { SchemaPlace } from '../place.ts'
import type { Rule } from '../rule.ts'

/** What each keyword of a group becomes; those that only make sense together have one function in common. */
export interface Keywords {
  readonly [keyword: string]: (place: SchemaPlace) => Rule | undefined
}
