import { ascend, descend } from '../effort.ts'
import type { SchemaPlace } from '../place.ts'
import { splitOnce } from '../resource.ts'
import type { Rule } from '../rule.ts'
import type { Keywords } from './keywords.ts'

/** What stands elsewhere, here or in another schema. */
export const references: Keywords = {
  $ref: reference,
  $dynamicRef: dynamicReference,
  $defs: checkParts('$defs'),
  definitions: checkParts('definitions'),
}

/** Parts that are there to be referred to; a mistake in one is told of even if nothing does. */
function checkParts(keyword: string) {
  return (place: SchemaPlace): undefined => void place.rulesByName(keyword)
}

function reference(place: SchemaPlace): Rule | undefined {
  if (place.text('$ref') === undefined) return undefined
  const { documents, scope } = place.program
  const target = documents.references.get(place.resource, place.schema)?.$ref
  if (target === undefined) return undefined
  const rule = place.program.refer(target)
  const isElsewhere = documents.hasDynamicReferences && target.resource !== place.resource
  return follow(isElsewhere ? scope.entering(target.resource, rule) : rule)
}

/** Every dynamic anchor of that name that a check may have come through stands in for the one referred to. */
function dynamicReference(place: SchemaPlace): Rule | undefined {
  const text = place.text('$dynamicRef')
  if (text === undefined) return undefined
  const { documents, scope } = place.program
  const target = documents.references.get(place.resource, place.schema)?.$dynamicRef
  if (target === undefined) return undefined
  const [, anchor] = splitOnce(text, '#')
  const initial = scope.entering(target.resource, place.program.refer(target))
  const candidates = place.program.candidates(anchor)
  if (!candidates.has(target.resource)) return follow(initial)
  const current = () => candidates.get(scope.find(candidates) ?? target.resource) ?? initial
  return follow({
    check: (value) => current().check(value),
    explain: (value, path, problems) => current().explain(value, path, problems),
    mark: (value, seen) => current().mark?.(value, seen),
  })
}

/** A reference is where a check could go on for ever, so it is where it is counted. */
function follow(rule: Rule): Rule {
  return {
    check(value) {
      descend()
      const fits = rule.check(value)
      ascend()
      return fits
    },
    explain(value, path, problems) {
      descend()
      rule.explain(value, path, problems)
      ascend()
    },
    mark(value, seen) {
      descend()
      rule.mark?.(value, seen)
      ascend()
    },
  }
}
