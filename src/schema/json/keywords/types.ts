import { isObject } from '../../../kernel/index.ts'
import { listing, shorten } from '../../problems.ts'
import { equal } from '../equal.ts'
import { isScalar, type TypeName } from '../names.ts'
import type { SchemaPlace } from '../place.ts'
import { expecting, type Rule, type ValueCheck } from '../rule.ts'
import type { Keywords } from './keywords.ts'

/** What a value is. */
export const types: Keywords = { type: compileType, enum: compileEnum, const: compileConst }

const TYPES: Record<TypeName, ValueCheck> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: Number.isFinite, // JSON has no Infinity: it is what 1e400 becomes.
  object: isObject,
  string: (value) => typeof value === 'string',
}

/** Made once: most schemas are nothing but a type. */
const TYPE_RULES = new Map(
  Object.entries(TYPES).map(([name, check]) => [name, expecting(() => nameTypes(name), check)]),
)

function compileType(place: SchemaPlace): Rule | undefined {
  const type = place.get('type')
  if (type === undefined) return undefined
  if (!Array.isArray(type)) return typeRule(type, place)
  if (type.length > TYPE_RULES.size) place.wrong('type', 'each type once')
  const [first, ...more] = type.map((name) => typeRule(name, place))
  if (first === undefined) place.wrong('type', 'at least one type')
  return more.length === 0
    ? first
    : expecting(nameTypes(type), anyOf([first, ...more].map(({ check }) => check)))
}

function typeRule(name: unknown, place: SchemaPlace): Rule {
  const rule = typeof name === 'string' ? TYPE_RULES.get(name) : undefined
  return rule ?? place.wrong('type', `one of ${[...TYPE_RULES.keys()].join(', ')}`, name)
}

function anyOf(checks: readonly ValueCheck[]): ValueCheck {
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

function compileEnum(place: SchemaPlace): Rule | undefined {
  const values = place.get('enum')
  if (values === undefined) return undefined
  if (!Array.isArray(values)) place.wrong('enum', 'an array of values')
  place.countData('enum', values)
  const shown = () => listing(values, show, ',')
  return expecting(() => `one of ${shown()}`, isOneOf(values))
}

function isOneOf(values: readonly unknown[]): ValueCheck {
  const scalars = values.filter(isScalar)
  const others = values.filter((value) => !isScalar(value))
  const set = new Set(scalars)
  const isScalarOfThem: ValueCheck =
    scalars.length > FEW ? (value) => set.has(value) : (value) => scalars.includes(value)
  if (others.length === 0) return isScalarOfThem
  return (value) => isScalarOfThem(value) || others.some((other) => equal(other, value))
}

function compileConst(place: SchemaPlace): Rule | undefined {
  const value = place.get('const')
  if (value === undefined) return undefined
  place.countData('const', value)
  const check: ValueCheck = isScalar(value) ? (given) => given === value : (given) => equal(value, given)
  return expecting(() => show(value), check)
}

/** A text of megabytes is cut before it is printed. */
function show(value: unknown): string {
  return shorten(JSON.stringify(typeof value === 'string' ? shorten(value) : value))
}
