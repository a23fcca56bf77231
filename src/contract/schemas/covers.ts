import type { JsonObject } from '../../kernel/index.ts'
import { canonical } from '../canonical.ts'
import { compareArrays } from './arrays.ts'
import { differ, type SchemaDifference, type SchemaWay, unsure } from './difference.ts'
import { isFree } from './merge.ts'
import { compareNumbers } from './numbers.ts'
import { compareObjects } from './objects.ts'
import { isApart, shapesOf, type ValueKind, type ValueType } from './shapes.ts'
import { compareStrings } from './strings.ts'
import { takes } from './takes.ts'

/** So many places of two schemas are compared: what is left then nobody has looked at. */
const EFFORT = 20_000

/** Why not every value of the narrower schema is one of the wider; nothing where every value is. */
export function compareSchemas(
  narrow: unknown,
  wide: unknown,
  unnamed: SchemaWay['unnamed'],
): readonly SchemaDifference[] {
  const roots = { narrow, wide }
  const way: SchemaWay = { place: '', roots, unnamed, pairs: new Set(), effort: { left: EFFORT }, covers }
  const told = new Map(covers(narrow, wide, way).map((one) => [canonical(one), one]))
  return [...told.values()]
}

/** The same from a place on. */
function covers(narrow: unknown, wide: unknown, way: SchemaWay): readonly SchemaDifference[] {
  if (narrow === false || isFree(wide)) return []
  const pair = `${canonical(narrow)} in ${canonical(wide)}`
  if (way.pairs.has(pair)) return []
  if (way.effort.left-- <= 0) return [unsure(differ(way, 'size', { narrow, wide }))]
  const further = { ...way, pairs: new Set(way.pairs).add(pair) }
  const { roots, effort } = way
  const wider = shapesOf(wide, { root: roots.wide, effort })
  return shapesOf(narrow, { root: roots.narrow, effort }).flatMap((shape) => findPlace(shape, wider, further))
}

/** One kind of value has to be one of those that the wider side takes. */
function findPlace(
  shape: ValueKind,
  wider: readonly ValueKind[],
  way: SchemaWay,
): readonly SchemaDifference[] {
  if (shape.values !== undefined) return findValues(shape, wider, way)
  const alike = wider.filter(({ type }) => type === shape.type)
  const near = alike.filter((other) => !isApart(shape, other))
  if (near.length === 0) return [refused(shape, wider, way)]
  const tries = near.map((other) => compareShapes(shape, other, way))
  const [best = []] = tries.toSorted((one, other) => one.length - other.length)
  return near.length === 1 ? best : best.map(unsure) // Some values may be of the one, and the others of the other.
}

function refused(shape: ValueKind, wider: readonly ValueKind[], way: SchemaWay): SchemaDifference {
  const types = [...new Set(wider.map(({ type }) => type))]
  const isKind = types.includes(shape.type)
  const wide = isKind ? wider.map(({ schema }) => schema) : types
  const found = differ(way, isKind ? 'anyOf' : 'type', { narrow: isKind ? shape.schema : shape.type, wide })
  return shape.isExact ? found : unsure(found)
}

function findValues(
  shape: ValueKind,
  wider: readonly ValueKind[],
  way: SchemaWay,
): readonly SchemaDifference[] {
  const own = (shape.values ?? []).filter((value) => takes(shape, value, way.roots.narrow) !== 'no')
  const answers = own.map((value) => ({
    value,
    found: wider.map((other) => (other.type === shape.type ? takes(other, value, way.roots.wide) : 'no')),
  }))
  const lost = answers.filter(({ found }) => !found.includes('yes'))
  if (lost.length === 0) return []
  const isKind = wider.some(({ type }) => type === shape.type)
  const isCertain = shape.isExact && lost.some(({ found }) => found.every((answer) => answer === 'no'))
  const difference = isKind
    ? differ(way, 'enum', {
        narrow: lost.map(({ value }) => value),
        wide: wider.flatMap(({ values = [] }) => values),
      })
    : differ(way, 'type', { narrow: shape.type, wide: [...new Set(wider.map(({ type }) => type))] })
  return [isCertain ? difference : unsure(difference)]
}

type CompareKind = (narrow: JsonObject, wide: JsonObject, way: SchemaWay) => readonly SchemaDifference[]

const COMPARE: { readonly [type in ValueType]: CompareKind } = {
  null: () => [],
  boolean: () => [],
  number: compareNumbers,
  string: compareStrings,
  array: compareArrays,
  object: compareObjects,
}

/** What only the whole of a value shows, with what belongs to it. */
const OPAQUE: { readonly [keyword: string]: readonly string[] } = {
  not: [],
  if: ['then', 'else'],
  dependentSchemas: [],
  dependencies: [],
  unevaluatedItems: [],
  contains: ['minContains', 'maxContains'],
}

function compareShapes(narrow: ValueKind, wide: ValueKind, way: SchemaWay): readonly SchemaDifference[] {
  if (canonical(narrow.schema) === canonical(wide.schema) && !hasReferences(narrow.schema)) return []
  if (wide.values !== undefined)
    return [differ(way, 'enum', { narrow: undefined, wide: wide.values })].map(narrow.isExact ? same : unsure)
  const found = [
    ...COMPARE[narrow.type](narrow.schema, wide.schema, way),
    ...compareOpaque(narrow.schema, wide.schema, way),
  ]
  if (found.length === 0 && !wide.isExact)
    return [unsure(differ(way, 'allOf', { narrow: narrow.schema, wide: wide.schema }))]
  const isWhole = narrow.isExact && !Object.keys(OPAQUE).some((keyword) => keyword in narrow.schema)
  return isWhole ? found : found.map(unsure)
}

const same = (difference: SchemaDifference): SchemaDifference => difference

/** What a reference means is not seen where it stands. */
const hasReferences = (schema: JsonObject): boolean => /"\$(dynamicRef|ref)"/.test(canonical(schema))

function compareOpaque(narrow: JsonObject, wide: JsonObject, way: SchemaWay): readonly SchemaDifference[] {
  return Object.entries(OPAQUE).flatMap(([keyword, more]) => {
    const [mine, other] = [narrow, wide].map((schema) => [keyword, ...more].map((one) => schema[one] ?? null))
    if (wide[keyword] === undefined || canonical(mine) === canonical(other)) return []
    return [unsure(differ(way, keyword, { narrow: narrow[keyword], wide: wide[keyword] }))]
  })
}
