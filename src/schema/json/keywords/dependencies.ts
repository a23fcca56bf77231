import { describe, isObject, type JsonObject } from '../../../kernel/index.ts'
import { listing } from '../../problems.ts'
import { namesCost, spend } from '../effort.ts'
import { has } from '../has.ts'
import { counted, every, type Rule } from '../rule.ts'
import type { Keywords } from './keywords.ts'

/** What must be so when a member is there; `dependencies` is how draft-07 said both. */
export const dependencies: Keywords = {
  dependentRequired: (place) =>
    all(
      place
        .entries('dependentRequired')
        .map(([name, names]) => needs(name, place.needed('dependentRequired', names))),
    ),
  dependentSchemas: (place) =>
    all(place.rulesByName('dependentSchemas').map(([name, rule]) => when(name, rule))),
  dependencies: (place) =>
    all(
      place
        .entries('dependencies')
        .map(([name, part]) =>
          Array.isArray(part)
            ? needs(name, place.needed('dependencies', part))
            : when(name, place.compileEntry('dependencies', name, part)),
        ),
    ),
}

function all(rules: readonly Rule[]): Rule {
  return counted(2 * rules.length, every(rules))
}

function needs(name: string, names: readonly string[]): Rule {
  const cost = namesCost(names.length)
  const hasAll = (value: JsonObject) => {
    spend(cost)
    return names.every((needed) => has(value, needed))
  }
  return {
    check: (value) => !isObject(value) || !has(value, name) || hasAll(value),
    explain: (value, path, problems) =>
      problems.add(
        path,
        `expected to have ${names.length === 1 ? 'property' : 'properties'} ${listing(names, String)} ` +
          `when property ${name} is present, got ${describe(value)}`,
      ),
  }
}

function when(name: string, rule: Rule): Rule {
  const applies = (value: unknown) => isObject(value) && has(value, name)
  return {
    check: (value) => !applies(value) || rule.check(value),
    explain: (value, path, problems) => rule.explain(value, path, problems),
    mark: (value, seen) => {
      if (applies(value)) rule.mark?.(value, seen)
    },
  }
}
