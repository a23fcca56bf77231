import type { JsonObject } from '../../kernel/index.ts'
import { compareLeast, compareMost } from './counts.ts'
import { differ, into, type SchemaDifference, type SchemaWay } from './difference.ts'

export function compareArrays(
  narrow: JsonObject,
  wide: JsonObject,
  way: SchemaWay,
): readonly SchemaDifference[] {
  const [mine, other] = [itemsOf(narrow), itemsOf(wide)]
  const most = Math.min(
    numberOr(narrow['maxItems'], Infinity),
    mine.rest === false ? mine.first.length : Infinity,
  )
  const counted = { ...narrow, ...(most < Infinity && { maxItems: most }) }
  const places = Math.min(most, Math.max(mine.first.length, other.first.length))
  return [
    ...compareLeast('minItems', { narrow, wide }, way),
    ...compareMost('maxItems', { narrow: counted, wide }, way),
    ...compareUnique(counted, wide, way),
    ...Array.from({ length: places }, (_, at) =>
      way.covers(mine.first[at] ?? mine.rest, other.first[at] ?? other.rest, into(way, `[${at}]`)),
    ).flat(),
    ...(most > places ? way.covers(mine.rest, other.rest, into(way, '[]')) : []),
  ]
}

interface ArrayItems {
  readonly first: readonly unknown[]
  readonly rest: unknown
}

/** Draft-07 wrote a list of items where 2020-12 writes `prefixItems`. */
function itemsOf({ items, prefixItems, additionalItems }: JsonObject): ArrayItems {
  if (Array.isArray(items)) return { first: items, rest: additionalItems ?? true }
  return { first: Array.isArray(prefixItems) ? prefixItems : [], rest: items ?? true }
}

function compareUnique(narrow: JsonObject, wide: JsonObject, way: SchemaWay): readonly SchemaDifference[] {
  const isWithin = wide['uniqueItems'] !== true || narrow['uniqueItems'] === true
  if (isWithin || numberOr(narrow['maxItems'], Infinity) < 2) return []
  return [differ(way, 'uniqueItems', { narrow: narrow['uniqueItems'], wide: true })]
}

const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise
