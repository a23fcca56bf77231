import { describe } from '../../../kernel/index.ts'
import { join } from '../../problems.ts'
import { spend } from '../effort.ts'
import { equal, findRepeated } from '../equal.ts'
import type { SchemaPlace } from '../place.ts'
import { every, expecting, NOTHING, type Rule } from '../rule.ts'
import type { Keywords } from './keywords.ts'

/** What is in an array, and how many. */
export const arrays: Keywords = {
  minItems(place) {
    const min = place.count('minItems')
    if (min === undefined) return undefined
    const expectation = `to NOT have fewer than ${min} items`
    return expecting(expectation, (value) => !Array.isArray(value) || value.length >= min)
  },
  maxItems(place) {
    const max = place.count('maxItems')
    return max === undefined ? undefined : atMost(max)
  },
  prefixItems: items,
  items,
  additionalItems: items,
  contains,
  uniqueItems,
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

function items(place: SchemaPlace): Rule | undefined {
  const { first, rest } = readItems(place)
  if (first.length === 0 && rest === undefined) return undefined
  return rest === NOTHING
    ? every([itemsRule({ first, rest: undefined }), atMost(first.length)])
    : itemsRule({ first, rest })
}

function readItems(place: SchemaPlace): Items {
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
    explain(value: readonly unknown[], path, problems) {
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

function contains(place: SchemaPlace): Rule | undefined {
  const rule = place.rule('contains')
  if (rule === undefined) return undefined
  const [min = 1, max = Number.POSITIVE_INFINITY] = [place.count('minContains'), place.count('maxContains')]
  const most = max === Number.POSITIVE_INFINITY ? '' : ` and no more than ${max}`
  const marks = place.resource.dialect.keywords.has('minContains')
  return {
    check(value) {
      if (!Array.isArray(value)) return true
      spend(value.length)
      let count = 0
      for (const item of value) if (rule.check(item)) count += 1
      return count >= min && count <= max
    },
    explain: (value, path, problems) =>
      problems.add(path, `expected to contain at least ${min}${most} valid item(s), got ${describe(value)}`),
    mark(value, seen) {
      if (!Array.isArray(value) || !marks) return
      spend(4 * value.length) // Each that fits is kept.
      for (const [index, item] of value.entries()) if (rule.check(item)) seen.items.add(index)
    },
  }
}

function uniqueItems(place: SchemaPlace): Rule | undefined {
  if (!place.flag('uniqueItems')) return undefined
  return {
    check: (value) => !Array.isArray(value) || findRepeated(value) === -1,
    explain(value: readonly unknown[], path, problems) {
      const second = findRepeated(value)
      const first = value.findIndex((item) => equal(item, value[second]))
      problems.add(
        path,
        `expected to NOT have duplicate items (items ## ${first} and ${second} are identical), got an array`,
      )
    },
  }
}
