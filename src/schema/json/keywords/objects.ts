import { isObject, type JsonObject } from '../../../kernel/index.ts'
import { join, listing, SHOWN } from '../../problems.ts'
import { effort, namesCost, spend } from '../effort.ts'
import { countedKeys, has, namesOf } from '../has.ts'
import type { SchemaPlace } from '../place.ts'
import { expecting, NOTHING, type Rule, type ValueCheck } from '../rule.ts'
import type { Keywords } from './keywords.ts'
import { nameTypes } from './types.ts'

/** What members an object has. Only its own count: nothing is inherited, whatever a member is called. */
export const objects: Keywords = {
  properties: members,
  patternProperties: members,
  additionalProperties: members,
  required: members,
  minProperties(place) {
    const min = place.count('minProperties')
    if (min === undefined) return undefined
    const expectation = `to NOT have fewer than ${min} properties`
    return expecting(expectation, (value) => !isObject(value) || count(value) >= min)
  },
  maxProperties(place) {
    const max = place.count('maxProperties')
    if (max === undefined) return undefined
    const expectation = `to NOT have more than ${max} properties`
    return expecting(expectation, (value) => !isObject(value) || count(value) <= max)
  },
  propertyNames,
}

interface MemberRules {
  readonly required: readonly string[]
  readonly named: ReadonlyMap<string, Rule>
  readonly patterns: readonly { readonly matches: (name: string) => boolean; readonly rule: Rule }[]
  /** For every member that is neither named nor matched. */
  readonly others: Rule | undefined
  /** What a missing member should have been. */
  wanted(name: string): string
}

function members(place: SchemaPlace): Rule | undefined {
  const read: MemberRules = {
    required: place.needed('required'),
    named: new Map(place.rulesByName('properties')),
    patterns: place.rulesByName('patternProperties').map(([source, rule]) => ({
      matches: place.pattern(source) ?? place.wrong('patternProperties', 'regular expressions', source),
      rule,
    })),
    others: place.rule('additionalProperties'),
    wanted: wantedBy(place.get('properties')),
  }
  if (read.required.length + read.named.size + read.patterns.length === 0 && read.others === undefined)
    return undefined
  return { check: quickCheck(read) ?? fullCheck(read), explain: explain(read), mark: mark(read) }
}

function wantedBy(schemas: unknown): MemberRules['wanted'] {
  return (name) => {
    const schema = isObject(schemas) && Object.hasOwn(schemas, name) ? schemas[name] : undefined
    return isObject(schema) && schema['type'] !== undefined ? nameTypes(schema['type']) : 'a value'
  }
}

/**
 * The short way, for what nearly every tool has: members that are known by name, and at most no others.
 * A closed object is checked by counting: it may have as many members as were found by name.
 */
function quickCheck({ required, named, patterns, others }: MemberRules): ValueCheck | undefined {
  if (patterns.length > 0 || (others !== undefined && others !== NOTHING)) return undefined
  if (named.size > MANY_NAMES) return undefined
  if (required.some((name) => !named.has(name))) return undefined
  const needed = new Set(required)
  const order = [...needed, ...[...named.keys()].filter((name) => !needed.has(name))]
  const checks = order.map((name) => (named.get(name) ?? NOTHING).check)
  const isClosed = others === NOTHING
  const cost = namesCost(order.length)
  return (value) => {
    if (!isObject(value)) return true
    let found = 0
    for (let index = 0; index < order.length; index++) {
      const name = order[index] as string // Below its length.
      if (has(value, name)) {
        if (checks[index]?.(value[name]) === false) return refuseAfter(index)
        found += 1
      } else if (index < needed.size) return refuseAfter(index)
    }
    effort.left -= cost
    if (effort.left < 0) spend(0)
    return !isClosed || namesOf(value).length === found
  }
}

/** Most of what does not fit is seen by its first names, and those after them cost nothing. */
function refuseAfter(names: number): false {
  spend(namesCost(names))
  return false
}

/** How many members there are. */
function count(value: JsonObject): number {
  spend(1)
  return namesOf(value).length
}

/** All names, each of which is looked at. */
function list(value: JsonObject): readonly string[] {
  const names = namesOf(value)
  spend(names.length)
  return names
}

/** What has few members is gone through by them, however many names there are to look for. */
const MANY_NAMES = 64

function fullCheck({ required, named, patterns, others }: MemberRules): ValueCheck {
  const byName = [...named].map(([name, { check }]) => ({ name, check }))
  const looksAtAll = patterns.length > 0 || others !== undefined || named.size > MANY_NAMES
  const cost = namesCost(required.length + (looksAtAll ? 0 : byName.length))
  return (value) => {
    if (!isObject(value)) return true
    spend(cost)
    for (const name of required) if (!has(value, name)) return false
    if (!looksAtAll) {
      for (const { name, check } of byName) if (has(value, name) && !check(value[name])) return false
      return true
    }
    const keys = countedKeys(value)
    spend(keys.length)
    for (const name of keys) {
      const member = value[name]
      if (member === undefined) continue
      const own = named.get(name)
      if (own !== undefined && !own.check(member)) return false
      let isKnown = own !== undefined
      for (const { matches, rule } of patterns) {
        if (!matches(name)) continue
        isKnown = true
        if (!rule.check(member)) return false
      }
      if (!isKnown && others !== undefined && !others.check(member)) return false
    }
    return true
  }
}

function explain(read: MemberRules): Rule['explain'] {
  return (value: JsonObject, path, problems) => {
    for (const name of read.required) {
      if (has(value, name)) continue
      problems.add(join(path, name), `expected ${read.wanted(name)}, got nothing (it is required)`)
    }
    const unexpected: string[] = []
    for (const name of namesOf(value)) {
      if (problems.full) return
      if (unexpected.length > SHOWN) break
      const rule = wrongRule(read, name, value[name])
      if (rule === NOTHING && !read.named.has(name)) unexpected.push(name)
      else rule?.explain(value[name], join(path, name), problems)
    }
    if (unexpected.length === 0) return
    const known = read.named.size === 0 ? 'none' : `only ${listing([...read.named.keys()], String)}`
    const shown = listing(unexpected, JSON.stringify)
    problems.add(path, `unexpected ${shown}, expected ${known}`)
  }
}

/** The rule that a member does not fit. */
function wrongRule({ named, patterns, others }: MemberRules, name: string, value: unknown): Rule | undefined {
  const own = named.get(name)
  if (own !== undefined && !own.check(value)) return own
  let isKnown = own !== undefined
  for (const { matches, rule } of patterns) {
    if (!matches(name)) continue
    isKnown = true
    if (!rule.check(value)) return rule
  }
  return isKnown || others === undefined || others.check(value) ? undefined : others
}

function mark({ named, patterns, others }: MemberRules): Rule['mark'] {
  return (value, seen) => {
    if (!isObject(value)) return
    if (others !== undefined) seen.everyProperty = true
    spend(1)
    seen.named.push(named)
    if (patterns.length === 0) return
    for (const name of namesOf(value)) {
      spend(1)
      if (patterns.some(({ matches }) => matches(name))) seen.properties.add(name)
    }
  }
}

function propertyNames(place: SchemaPlace): Rule | undefined {
  const rule = place.rule('propertyNames')
  if (rule === undefined) return undefined
  const wrongName = (value: JsonObject) => {
    return list(value).find((name) => !rule.check(name))
  }
  return {
    check(value) {
      if (!isObject(value)) return true
      return wrongName(value) === undefined
    },
    explain(value, path, problems) {
      if (isObject(value)) rule.explain(wrongName(value), path, problems)
    },
  }
}
