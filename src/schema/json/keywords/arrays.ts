import { describe } from '../../../kernel/index.ts'
import { join } from '../../problems.ts'
import { spend } from '../effort.ts'
import { findRepeated } from '../equal.ts'
import type { Place } from '../place.ts'
import { expecting, NOTHING, type Rule } from '../rule.ts'
import type { Group } from './index.ts'

/** What is in an array, and how many. */
export const arrays: Group = {
  keywords: [
    'prefixItems',
    'items',
    'additionalItems',
    'contains',
    'minContains',
    'maxContains',
    'minItems',
    'maxItems',
    'uniqueItems',
  ],
  compile: (place) => [...lengths(place), ...items(place), ...contains(place), ...unique(place)],
}

function lengths(place: Place): readonly Rule[] {
  const [min, max] = [place.count('minItems'), place.count('maxItems')]
  const rules: Rule[] = []
  if (min !== undefined) {
    const expectation = `to NOT have fewer than ${min} items`
    rules.push(expecting(expectation, (value) => !Array.isArray(value) || value.length >= min))
  }
  if (max !== undefined) rules.push(atMost(max))
  return rules
}

function atMost(max: number): Rule {
  const expectation = `to NOT have more than ${max} items`
  return expecting(expectation, (value) => !Array.isArray(value) || value.length <= max)
}

/** The first items one by one, and a rule for all after them. */
interface Items {
  readonly first: readonly Rule[]
  readonly rest: Rule | undefined
}

function items(place: Place): readonly Rule[] {
  const { first, rest } = readItems(place)
  if (first.length === 0 && rest === undefined) return []
  return [
    itemsRule({ first, rest: rest === NOTHING ? undefined : rest }),
    ...(rest === NOTHING ? [atMost(first.length)] : []),
  ]
}

function readItems(place: Place): Items {
  if (place.resource.dialect.keywords.has('prefixItems')) {
    if (Array.isArray(place.get('items'))) {
      place.wrong('items', 'a schema (a list of schemas is prefixItems since 2020-12)')
    }
    return { first: place.rules('prefixItems') ?? [], rest: place.rule('items') }
  }
  if (!Array.isArray(place.get('items'))) return { first: [], rest: place.rule('items') }
  return { first: place.rules('items') ?? [], rest: place.rule('additionalItems') }
}

function itemsRule({ first, rest }: Items): Rule {
  const ruleOf = (index: number): Rule | undefined => first[index] ?? rest
  return {
    check(value) {
      if (!Array.isArray(value)) return true
      const end = rest === undefined ? Math.min(first.length, value.length) : value.length
      spend(end)
      for (let index = 0; index < end; index++) {
        if (ruleOf(index)?.check(value[index]) === false) return false
      }
      return true
    },
    explain(value, path, problems) {
      if (!Array.isArray(value)) return
      for (let index = 0; index < value.length && !problems.full; index++) {
        const rule = ruleOf(index)
        if (rule?.check(value[index]) === false) rule.explain(value[index], join(path, index), problems)
      }
    },
    mark: (_value, seen) => {
      seen.itemsBelow = Math.max(
        seen.itemsBelow,
        rest === undefined ? first.length : Number.POSITIVE_INFINITY,
      )
    },
  }
}

function contains(place: Place): readonly Rule[] {
  const [min = 1, max] = [place.count('minContains'), place.count('maxContains')]
  const rule = place.rule('contains')
  if (rule === undefined) return []
  const most = max === undefined ? '' : ` and no more than ${max}`
  const fitting = (value: readonly unknown[]) => {
    spend(value.length)
    return value.filter((item) => rule.check(item)).length
  }
  return [
    {
      check(value) {
        if (!Array.isArray(value)) return true
        const count = fitting(value)
        return count >= min && (max === undefined || count <= max)
      },
      explain: (value, path, problems) =>
        problems.add(
          path,
          `expected to contain at least ${min}${most} valid item(s), got ${describe(value)}`,
        ),
      mark(value, seen) {
        if (!Array.isArray(value) || !place.resource.dialect.keywords.has('minContains')) return
        spend(value.length)
        for (const [index, item] of value.entries()) if (rule.check(item)) seen.items.add(index)
      },
    },
  ]
}

function unique(place: Place): readonly Rule[] {
  if (!place.flag('uniqueItems')) return []
  return [
    {
      check: (value) => !Array.isArray(value) || findRepeated(value) === undefined,
      explain(value, path, problems) {
        const [first, second] = (Array.isArray(value) && findRepeated(value)) || [0, 0]
        problems.add(
          path,
          `expected to NOT have duplicate items (items ## ${first} and ${second} are identical), got an array`,
        )
      },
    },
  ]
}
