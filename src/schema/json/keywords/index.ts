import { once } from '../../../kernel/index.ts'
import type { SchemaPlace } from '../place.ts'
import { ANYTHING, every, type Rule } from '../rule.ts'
import { arrays } from './arrays.ts'
import { dependencies } from './dependencies.ts'
import type { Keywords } from './keywords.ts'
import { logic } from './logic.ts'
import { numbers } from './numbers.ts'
import { objects } from './objects.ts'
import { references } from './references.ts'
import { strings } from './strings.ts'
import { types } from './types.ts'
import { unevaluated } from './unevaluated.ts'

/** In the order in which they are checked: what is cheap and tells most comes first. */
const GROUPS: readonly Keywords[] = [
  types,
  numbers,
  strings,
  arrays,
  objects,
  dependencies,
  references,
  logic,
]

const COMPILERS = once(() => [...new Set(GROUPS.flatMap((group) => Object.values(group)))])

const INDEX_OF = once(
  () =>
    new Map(
      GROUPS.flatMap((group) => Object.entries(group)).map(([keyword, compile]) => [
        keyword,
        COMPILERS().indexOf(compile),
      ]),
    ),
)

/** A schema as one rule. */
export function compileKeywords(place: SchemaPlace): Rule {
  if (place.resource.dialect.loneRefs && place.get('$ref') !== undefined) {
    return references['$ref']?.(place) ?? ANYTHING
  }
  const compilers = COMPILERS()
  const rules: Rule[] = []
  for (const index of compilersFor(place)) {
    const rule = compilers[index]?.(place)
    if (rule !== undefined) rules.push(rule)
  }
  const more = unevaluated(place, rules)
  return every(more.length === 0 ? rules : [...rules, ...more])
}

function compilersFor({ schema }: SchemaPlace): readonly number[] {
  const indexOf = INDEX_OF()
  const found: number[] = []
  for (const keyword of Object.keys(schema)) {
    const index = indexOf.get(keyword)
    if (index !== undefined && !found.includes(index)) found.push(index)
  }
  return found.sort((a, b) => a - b)
}
