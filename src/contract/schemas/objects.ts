import { isObject, type JsonObject } from '../../kernel/index.ts'
import { createValidator } from '../../schema/index.ts'
import { canonical } from '../canonical.ts'
import { differ, into, type SchemaDifference, type SchemaWay, unsure } from './difference.ts'
import { isFree } from './merge.ts'

/** What a schema says of the members of an object. */
interface ObjectMembers {
  readonly named: JsonObject
  readonly patterns: JsonObject
  readonly required: readonly string[]
  /** What all others are; undefined where nothing is said of them. */
  readonly rest: unknown
}

/** What a schema does not name counts as never sent, unless it says what others are. */
export function compareObjects(
  narrow: JsonObject,
  wide: JsonObject,
  way: SchemaWay,
): readonly SchemaDifference[] {
  const [mine, other] = [membersOf(narrow), membersOf(wide)]
  return [
    ...compareNamed(mine, other, way),
    ...compareRequired(mine, other, way),
    ...compareRest(mine, other, way),
    ...compareCounts({ narrow, mine }, wide, way),
    ...compareNames({ narrow, mine }, wide, way),
    ...compareDependent({ narrow, mine }, wide, way),
  ]
}

function membersOf({
  properties,
  patternProperties,
  required,
  additionalProperties: rest,
}: JsonObject): ObjectMembers {
  const named = isObject(properties) ? properties : {}
  // That others may be anything goes without saying, unless there is nothing but others: that is a map of anything.
  const isSilent = isFree(rest) && Object.keys(named).length > 0
  return {
    named,
    patterns: isObject(patternProperties) ? patternProperties : {},
    required: Array.isArray(required) ? required.map(String) : [],
    rest: isSilent ? undefined : rest,
  }
}

function compareNamed(
  mine: ObjectMembers,
  other: ObjectMembers,
  way: SchemaWay,
): readonly SchemaDifference[] {
  const unnamed = mine.required
    .filter((name) => !Object.hasOwn(mine.named, name))
    .map((name) => [name, mine.rest ?? true] as const)
  return [...Object.entries(mine.named), ...unnamed].flatMap(([name, schema]) => {
    if (schema === false) return []
    const further = into(way, name)
    const asked = [...(Object.hasOwn(other.named, name) ? [other.named[name]] : []), ...matching(other, name)]
    const is = matching(mine, name).reduce((one, more) => ({ allOf: [one, more] }), schema)
    if (asked.length > 0) return asked.flatMap((one) => way.covers(is, one, further))
    if (other.rest === undefined)
      return way.unnamed === 'lost' && !other.required.includes(name) // Who requires it knows it.
        ? [differ(further, 'properties', { narrow: schema, wide: undefined })]
        : []
    if (other.rest === false) return [differ(further, 'properties', { narrow: schema, wide: false })]
    return way.covers(schema, other.rest, further)
  })
}

/** What is asked of a member by the way its name is written. */
function matching({ patterns }: ObjectMembers, name: string): readonly unknown[] {
  return Object.entries(patterns).flatMap(([pattern, schema]) => (matches(pattern, name) ? [schema] : []))
}

function matches(pattern: string, name: string): boolean {
  try {
    return 'value' in createValidator().shape({ type: 'string', pattern }, 'input').read(name)
  } catch {
    return true // What cannot be read may mean anything.
  }
}

function compareRequired(
  mine: ObjectMembers,
  other: ObjectMembers,
  way: SchemaWay,
): readonly SchemaDifference[] {
  return other.required
    .filter((name) => !mine.required.includes(name))
    .map((name) => differ(into(way, name), 'required', { narrow: false, wide: true }))
}

/** ObjectMembers that are named by no name. */
function compareRest(mine: ObjectMembers, other: ObjectMembers, way: SchemaWay): readonly SchemaDifference[] {
  const others = into(way, '[other]')
  const rest = other.rest ?? true
  const patterns = Object.entries(mine.patterns).flatMap(([pattern, schema]) => {
    const alike = other.patterns[pattern]
    return alike === undefined
      ? way.covers(schema, rest, others).map(unsure)
      : way.covers(schema, alike, others)
  })
  if (mine.rest === undefined) return [...patterns, ...compareSilence(other, way)]
  if (mine.rest === false) return patterns
  const named = Object.entries(other.named).filter(([name]) => !Object.hasOwn(mine.named, name))
  return [
    ...patterns,
    ...way.covers(mine.rest, rest, others),
    ...named.flatMap(([name, schema]) => way.covers(mine.rest, schema, into(way, name))),
    ...Object.entries(other.patterns)
      .filter(([pattern]) => !Object.hasOwn(mine.patterns, pattern))
      .flatMap(([, schema]) => way.covers(mine.rest, schema, others).map(unsure)),
  ]
}

/** Who answers with more than was said has dropped the promise that there is nothing else; who asks never sent it. */
function compareSilence({ rest }: ObjectMembers, way: SchemaWay): readonly SchemaDifference[] {
  if (way.unnamed === 'lost' || rest === undefined || isFree(rest)) return []
  return [differ(way, 'additionalProperties', { narrow: undefined, wide: rest })]
}

interface NarrowSide {
  readonly narrow: JsonObject
  readonly mine: ObjectMembers
}

const isClosed = ({ rest, patterns }: ObjectMembers): boolean =>
  (rest === undefined || rest === false) && Object.keys(patterns).length === 0

function compareCounts(
  { narrow, mine }: NarrowSide,
  wide: JsonObject,
  way: SchemaWay,
): readonly SchemaDifference[] {
  const names = isClosed(mine) ? new Set([...Object.keys(mine.named), ...mine.required]).size : Infinity
  const least = Math.max(numberOr(narrow['minProperties'], 0), mine.required.length)
  const most = Math.min(numberOr(narrow['maxProperties'], Infinity), names)
  const few = numberOr(wide['minProperties'], 0)
  const many = numberOr(wide['maxProperties'], Infinity)
  return [
    ...(least < few ? [differ(way, 'minProperties', { narrow: narrow['minProperties'], wide: few })] : []),
    ...(most > many ? [differ(way, 'maxProperties', { narrow: narrow['maxProperties'], wide: many })] : []),
  ]
}

const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise

function compareNames(
  { narrow, mine }: NarrowSide,
  wide: JsonObject,
  way: SchemaWay,
): readonly SchemaDifference[] {
  const asked = wide['propertyNames']
  if (asked === undefined || canonical(asked) === canonical(narrow['propertyNames'])) return []
  const known = Object.keys(mine.named).flatMap((name) => way.covers({ const: name }, asked, into(way, name)))
  if (isClosed(mine)) return known
  return [
    ...known,
    ...way.covers(narrow['propertyNames'] ?? { type: 'string' }, asked, into(way, '[name]')).map(unsure),
  ]
}

/** What is needed once something else is there. */
function compareDependent(
  { narrow, mine }: NarrowSide,
  wide: JsonObject,
  way: SchemaWay,
): readonly SchemaDifference[] {
  const [asked, own] = [wide['dependentRequired'], narrow['dependentRequired']]
  if (!isObject(asked)) return []
  return Object.entries(asked).flatMap(([name, needed]) => {
    if (isClosed(mine) && !Object.hasOwn(mine.named, name)) return []
    const held = [
      ...mine.required,
      ...(isObject(own) && Object.hasOwn(own, name) ? (own[name] as readonly string[]) : []),
    ]
    const missing = (needed as readonly string[]).filter((one) => !held.includes(one))
    return missing.map((one) =>
      differ(into(way, one), 'dependentRequired', { narrow: undefined, wide: name }),
    )
  })
}
