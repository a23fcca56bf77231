import { isObject } from '../../../kernel/index.ts'
import { join, listing } from '../../problems.ts'
import { spend } from '../effort.ts'
import { namesOf } from '../has.ts'
import type { SchemaPlace } from '../place.ts'
import { NOTHING, type Rule, Seen } from '../rule.ts'

/** `unevaluatedProperties` and `unevaluatedItems`: for what no rule beside them has looked at. */
export function unevaluated(place: SchemaPlace, beside: readonly Rule[]): readonly Rule[] {
  const [items, properties] = [place.rule('unevaluatedItems'), place.rule('unevaluatedProperties')]
  if (items === undefined && properties === undefined) return []
  const look = (value: unknown) => {
    spend(16) // Whatever stands beside is gone through a second time.
    const seen = new Seen()
    for (const { mark } of beside) mark?.(value, seen)
    return seen
  }
  return [
    ...(items === undefined ? [] : [unevaluatedItems(items, look)]),
    ...(properties === undefined ? [] : [unevaluatedProperties(properties, look)]),
  ]
}

type Look = (value: unknown) => Seen

function unevaluatedItems(rule: Rule, look: Look): Rule {
  const firstWrong = (value: readonly unknown[]) => {
    const { itemsBelow, items } = look(value)
    spend(value.length)
    return value.findIndex((item, index) => index >= itemsBelow && !items.has(index) && !rule.check(item))
  }
  return {
    check: (value) => !Array.isArray(value) || firstWrong(value) === -1,
    explain(value: readonly unknown[], path, problems) {
      const index = firstWrong(value)
      rule.explain(value[index], join(path, index), problems)
    },
    mark: (_value, seen) => {
      seen.itemsBelow = Number.POSITIVE_INFINITY
    },
  }
}

function unevaluatedProperties(rule: Rule, look: Look): Rule {
  const wrong = (value: { readonly [name: string]: unknown }) => {
    const { everyProperty, properties, named } = look(value)
    if (everyProperty) return []
    const names = namesOf(value)
    spend(names.length * (1 + named.length))
    const isSeen = (name: string) => properties.has(name) || named.some((one) => one.has(name))
    return names.filter((name) => !isSeen(name) && !rule.check(value[name]))
  }
  return {
    check: (value) => !isObject(value) || wrong(value).length === 0,
    explain(value: { readonly [name: string]: unknown }, path, problems) {
      const names = wrong(value)
      if (rule === NOTHING) problems.add(path, `unexpected ${listing(names, JSON.stringify)}`)
      else for (const name of names) rule.explain(value[name], join(path, name), problems)
    },
    mark: (_value, seen) => {
      seen.everyProperty = true
    },
  }
}
