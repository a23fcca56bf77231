import type { JsonObject } from '../../kernel/index.ts'
import { differ, type SchemaDifference, type SchemaWay } from './difference.ts'

interface SchemaPair {
  readonly narrow: JsonObject
  readonly wide: JsonObject
}

/** A keyword that says how few there may be. */
export function compareLeast(
  keyword: string,
  { narrow, wide }: SchemaPair,
  way: SchemaWay,
): readonly SchemaDifference[] {
  return compare(keyword, [numberOf(narrow, keyword, 0), numberOf(wide, keyword, 0)], way)
}

/** A keyword that says how many there may be. */
export function compareMost(
  keyword: string,
  { narrow, wide }: SchemaPair,
  way: SchemaWay,
): readonly SchemaDifference[] {
  const [mine, other] = [numberOf(narrow, keyword, Infinity), numberOf(wide, keyword, Infinity)]
  return mine <= other ? [] : [differ(way, keyword, { narrow: said(mine), wide: said(other) })]
}

function compare(
  keyword: string,
  [narrow, wide]: readonly [number, number],
  way: SchemaWay,
): readonly SchemaDifference[] {
  return narrow >= wide ? [] : [differ(way, keyword, { narrow, wide })]
}

function numberOf(schema: JsonObject, keyword: string, otherwise: number): number {
  const value = schema[keyword]
  return typeof value === 'number' ? value : otherwise
}

const said = (count: number): number | undefined => (count === Infinity ? undefined : count)
