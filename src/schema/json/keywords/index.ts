import type { Place } from '../place.ts'
import { every, type Rule } from '../rule.ts'
import { arrays } from './arrays.ts'
import { logic } from './logic.ts'
import { numbers } from './numbers.ts'
import { objects } from './objects.ts'
import { references } from './references.ts'
import { strings } from './strings.ts'
import { types } from './types.ts'
import { unevaluated } from './unevaluated.ts'

/** Some keywords that belong together: those a schema has of them, as rules. */
export interface Group {
  readonly keywords: readonly string[]
  compile(place: Place): readonly Rule[]
}

/** In the order in which they are checked: what is cheap and tells most comes first. */
const GROUPS: readonly Group[] = [types, numbers, strings, arrays, objects, references, logic]

const GROUP_OF = new Map(
  GROUPS.flatMap((group) => group.keywords.map((keyword) => [keyword, group] as const)),
)

/** A schema as one rule. */
export function compileKeywords(place: Place): Rule {
  if (place.resource.dialect.loneRefs && place.get('$ref') !== undefined) {
    return every(references.compile(place))
  }
  const wanted = new Set(Object.keys(place.schema).map((keyword) => GROUP_OF.get(keyword)))
  const rules = GROUPS.filter((group) => wanted.has(group)).flatMap((group) => group.compile(place))
  return every([...rules, ...unevaluated(place, rules)])
}
