import { isObject } from '../../../kernel/index.ts'
import { listing } from '../../problems.ts'
import { equal, isScalar } from '../equal.ts'
import type { Place } from '../place.ts'
import { type Check, expecting, type Rule } from '../rule.ts'
import type { Group } from './index.ts'

/** What a value is: `type`, `enum`, `const`. */
export const types: Group = {
  keywords: ['type', 'enum', 'const'],
  compile: (place) => [...compileType(place), ...compileEnum(place), ...compileConst(place)],
}

const TYPES: { readonly [name: string]: Check } = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: Number.isFinite, // JSON has no Infinity: it is what 1e400 becomes.
  object: isObject,
  string: (value) => typeof value === 'string',
}

function compileType(place: Place): readonly Rule[] {
  const type = place.get('type')
  if (type === undefined) return []
  const names: readonly unknown[] = Array.isArray(type) ? type : [type]
  if (names.length === 0) place.wrong('type', 'at least one type')
  const checks = names.map((name) => {
    const check = typeof name === 'string' && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
    return check ?? place.wrong('type', `one of ${Object.keys(TYPES).join(', ')}`, name)
  })
  return [expecting(nameTypes(type), anyOf(checks))]
}

function anyOf(checks: readonly Check[]): Check {
  const [first, second, ...more] = checks
  if (first === undefined || second === undefined) return first ?? (() => false)
  if (more.length === 0) return (value) => first(value) || second(value)
  return (value) => checks.some((check) => check(value))
}

/** Types as one would say them: `a string or null`. */
export function nameTypes(type: unknown): string {
  const names = Array.isArray(type) ? type.map(String) : [String(type)]
  return names
    .map((name) => (name === 'null' ? name : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`))
    .join(' or ')
}

/** Beyond this many a look into a Set is quicker than one through a list. */
const FEW = 8

function compileEnum(place: Place): readonly Rule[] {
  const values = place.get('enum')
  if (values === undefined) return []
  if (!Array.isArray(values)) place.wrong('enum', 'an array of values')
  place.countData('enum', values)
  const shown = () => listing(values.map(show), ',')
  return [expecting(() => `one of ${shown()}`, isOneOf(values))]
}

function isOneOf(values: readonly unknown[]): Check {
  const scalars = values.filter(isScalar)
  const others = values.filter((value) => !isScalar(value))
  const set = new Set(scalars)
  const isScalarOfThem: Check =
    scalars.length > FEW ? (value) => set.has(value) : (value) => scalars.includes(value)
  if (others.length === 0) return isScalarOfThem
  return (value) => isScalarOfThem(value) || others.some((other) => equal(other, value))
}

function compileConst(place: Place): readonly Rule[] {
  const value = place.get('const')
  if (value === undefined) return []
  place.countData('const', value)
  const check: Check = isScalar(value) ? (given) => given === value : (given) => equal(value, given)
  return [expecting(() => show(value), check)]
}

function show(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
