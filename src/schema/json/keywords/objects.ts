import { isObject, type JsonObject } from '../../../kernel/index.ts'
import { join, listing, type Problems } from '../../problems.ts'
import { spend } from '../effort.ts'
import { compilePattern } from '../pattern.ts'
import type { Place } from '../place.ts'
import { type Check, expecting, NOTHING, type Rule } from '../rule.ts'
import { dependencies } from './dependencies.ts'
import type { Group } from './index.ts'
import { nameTypes } from './types.ts'

/** What members an object has. Only its own count: nothing is inherited, whatever a member is called. */
export const objects: Group = {
  keywords: [
    'properties',
    'patternProperties',
    'additionalProperties',
    'required',
    'minProperties',
    'maxProperties',
    'propertyNames',
    'dependentRequired',
    'dependentSchemas',
    'dependencies',
  ],
  compile: (place) => [...members(place), ...sizes(place), ...names(place), ...dependencies(place)],
}

interface Members {
  readonly required: readonly string[]
  readonly named: ReadonlyMap<string, Rule>
  readonly patterns: readonly { readonly matches: (name: string) => boolean; readonly rule: Rule }[]
  /** For every member that is neither named nor matched. */
  readonly others: Rule | undefined
  /** What a missing member should have been. */
  wanted(name: string): string
}

function members(place: Place): readonly Rule[] {
  const schemas = place.get('properties')
  const read: Members = {
    required: place.names('required'),
    named: new Map(place.rulesByName('properties')),
    patterns: place.rulesByName('patternProperties').map(([source, rule]) => ({
      matches: compilePattern(source, () => place.wrong('patternProperties', 'regular expressions', source)),
      rule,
    })),
    others: place.rule('additionalProperties'),
    wanted: (name) => {
      const schema = isObject(schemas) && Object.hasOwn(schemas, name) ? schemas[name] : undefined
      return isObject(schema) && schema['type'] !== undefined ? nameTypes(schema['type']) : 'a value'
    },
  }
  if (read.required.length + read.named.size + read.patterns.length === 0 && read.others === undefined)
    return []
  place.program.documents.count(read.required.length, `${place.pointer}/required`)
  return [{ check: quickCheck(read) ?? fullCheck(read), explain: explain(read), mark: mark(read) }]
}

/**
 * The short way, for what nearly every tool has: members that are known by name, and at most no others.
 * A closed object is checked by counting: it may have as many members as were found by name.
 */
function quickCheck({ required, named, patterns, others }: Members): Check | undefined {
  if (patterns.length > 0 || (others !== undefined && others !== NOTHING)) return undefined
  if (required.some((name) => !named.has(name))) return undefined
  const needed = new Set(required)
  const order = [...needed, ...[...named.keys()].filter((name) => !needed.has(name))]
  const checks = order.map((name) => (named.get(name) ?? NOTHING).check)
  const isClosed = others === NOTHING
  return (value) => {
    if (!isObject(value)) return true
    let found = 0
    for (let index = 0; index < order.length; index++) {
      const name = order[index] as string // Below its length.
      if (Object.hasOwn(value, name)) {
        if (checks[index]?.(value[name]) === false) return false
        found += 1
      } else if (index < needed.size) return false
    }
    return !isClosed || countMembers(value) === found
  }
}

function countMembers(value: JsonObject): number {
  let count = 0
  for (const name in value) if (Object.hasOwn(value, name)) count += 1
  return count
}

function fullCheck({ required, named, patterns, others }: Members): Check {
  const byName = [...named].map(([name, { check }]) => ({ name, check }))
  const looksAtAll = patterns.length > 0 || others !== undefined
  return (value) => {
    if (!isObject(value)) return true
    for (const name of required) if (!Object.hasOwn(value, name)) return false
    for (const { name, check } of byName) if (Object.hasOwn(value, name) && !check(value[name])) return false
    if (!looksAtAll) return true
    for (const name in value) {
      if (!Object.hasOwn(value, name)) continue
      spend(1)
      let isKnown = named.has(name)
      for (const { matches, rule } of patterns) {
        if (!matches(name)) continue
        isKnown = true
        if (!rule.check(value[name])) return false
      }
      if (!isKnown && others !== undefined && !others.check(value[name])) return false
    }
    return true
  }
}

function explain(read: Members): Rule['explain'] {
  return (value, path, problems) => {
    if (!isObject(value)) return
    for (const name of read.required) {
      if (Object.hasOwn(value, name)) continue
      problems.add(join(path, name), `expected ${read.wanted(name)}, got nothing (it is required)`)
    }
    const unexpected = Object.keys(value).filter((name) => explainMember(read, value, name, path, problems))
    if (unexpected.length === 0) return
    const known = read.named.size === 0 ? 'none' : `only ${listing([...read.named.keys()])}`
    const shown = listing(unexpected.map((name) => JSON.stringify(name)))
    problems.add(path, `unexpected ${shown}, expected ${known}`)
  }
}

/** Says what is wrong with one member; whether it should not be there at all is for the caller to say. */
function explainMember(
  { named, patterns, others }: Members,
  value: JsonObject,
  name: string,
  path: string,
  problems: Problems,
): boolean {
  if (problems.full) return false
  const rules = [named.get(name), ...patterns.map(({ matches, rule }) => (matches(name) ? rule : undefined))]
  const known = rules.filter((rule) => rule !== undefined)
  if (known.length === 0 && others === NOTHING) return true
  for (const rule of known.length === 0 ? [others] : known) {
    if (rule?.check(value[name]) === false) rule.explain(value[name], join(path, name), problems)
  }
  return false
}

function mark({ named, patterns, others }: Members): Rule['mark'] {
  return (value, seen) => {
    if (!isObject(value)) return
    if (others !== undefined) seen.everyProperty = true
    for (const name of named.keys()) seen.properties.add(name)
    if (patterns.length === 0) return
    for (const name of Object.keys(value)) {
      spend(1)
      if (patterns.some(({ matches }) => matches(name))) seen.properties.add(name)
    }
  }
}

function sizes(place: Place): readonly Rule[] {
  const [min, max] = [place.count('minProperties'), place.count('maxProperties')]
  const rules: Rule[] = []
  if (min !== undefined) {
    const expectation = `to NOT have fewer than ${min} properties`
    rules.push(expecting(expectation, (value) => !isObject(value) || countMembers(value) >= min))
  }
  if (max !== undefined) {
    const expectation = `to NOT have more than ${max} properties`
    rules.push(expecting(expectation, (value) => !isObject(value) || countMembers(value) <= max))
  }
  return rules
}

function names(place: Place): readonly Rule[] {
  const rule = place.rule('propertyNames')
  if (rule === undefined) return []
  const wrongName = (value: JsonObject) => Object.keys(value).find((name) => !rule.check(name))
  return [
    {
      check(value) {
        if (!isObject(value)) return true
        spend(countMembers(value))
        return wrongName(value) === undefined
      },
      explain(value, path, problems) {
        if (isObject(value)) rule.explain(wrongName(value), path, problems)
      },
    },
  ]
}
