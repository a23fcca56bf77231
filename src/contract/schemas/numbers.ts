import type { JsonObject } from '../../kernel/index.ts'
import { differ, type SchemaDifference, type SchemaWay } from './difference.ts'

/** The end of a range, and whether it is in it. */
interface End {
  readonly at: number
  readonly isIn: boolean
}

export function compareNumbers(
  narrow: JsonObject,
  wide: JsonObject,
  way: SchemaWay,
): readonly SchemaDifference[] {
  return [
    ...compareKinds(narrow, wide, way),
    ...compareEnds('minimum', [lowest(narrow), lowest(wide)], way),
    ...compareEnds('maximum', [highest(narrow), highest(wide)], way),
  ]
}

function compareKinds(narrow: JsonObject, wide: JsonObject, way: SchemaWay): readonly SchemaDifference[] {
  const [step, other] = [stepOf(narrow), stepOf(wide)]
  if (other === undefined || (step !== undefined && isMultiple(step, other))) return []
  if (wide['multipleOf'] === undefined) return [differ(way, 'type', { narrow: 'number', wide: ['integer'] })]
  return [differ(way, 'multipleOf', { narrow: narrow['multipleOf'], wide: wide['multipleOf'] })]
}

function stepOf(schema: JsonObject): number | undefined {
  const step = schema['multipleOf']
  if (typeof step !== 'number') return schema['type'] === 'integer' ? 1 : undefined
  // Whole numbers that are multiples of a half are multiples of one.
  return schema['type'] === 'integer' && isMultiple(1, step) ? 1 : step
}

function isMultiple(number: number, of: number): boolean {
  const times = number / of
  return Math.abs(times - Math.round(times)) < 1e-9
}

/** A lower end is turned round, so that both ends are compared in one way. */
const lowest = (schema: JsonObject): End | undefined => {
  const end = endOf(schema, 'minimum', 'exclusiveMinimum')
  return end === undefined ? undefined : { ...end, at: -end.at }
}
const highest = (schema: JsonObject): End | undefined => endOf(schema, 'maximum', 'exclusiveMaximum')

function endOf(schema: JsonObject, within: 'minimum' | 'maximum', beyond: string): End | undefined {
  const sign = within === 'minimum' ? -1 : 1
  const ends: End[] = []
  if (typeof schema[within] === 'number') ends.push({ at: schema[within], isIn: true })
  if (typeof schema[beyond] === 'number') ends.push({ at: schema[beyond], isIn: false })
  const [end] = ends.toSorted(
    (one, other) => sign * (one.at - other.at) || Number(one.isIn) - Number(other.isIn),
  )
  if (end === undefined || schema['type'] !== 'integer') return end
  // Of whole numbers the last one is known.
  if (!end.isIn && Number.isInteger(end.at)) return { at: end.at - sign, isIn: true }
  return { at: sign > 0 ? Math.floor(end.at) : Math.ceil(end.at), isIn: true }
}

function compareEnds(
  keyword: 'minimum' | 'maximum',
  [narrow, wide]: readonly [End | undefined, End | undefined],
  way: SchemaWay,
): readonly SchemaDifference[] {
  if (wide === undefined) return []
  const isWithin =
    narrow !== undefined && (narrow.at < wide.at || (narrow.at === wide.at && (wide.isIn || !narrow.isIn)))
  return isWithin
    ? []
    : [differ(way, keyword, { narrow: print(keyword, narrow), wide: print(keyword, wide) })]
}

function print(keyword: string, end: End | undefined): number | string | undefined {
  if (end === undefined) return undefined
  const at = keyword === 'minimum' ? -end.at : end.at
  return end.isIn ? at : `${keyword === 'minimum' ? 'above' : 'below'} ${at}`
}
