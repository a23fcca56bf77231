import type { Place } from '../place.ts'
import { type Check, expecting, type Rule } from '../rule.ts'
import type { Group } from './index.ts'

type Bound = (limit: number) => { readonly expectation: string; readonly check: Check }

const BOUNDS: { readonly [keyword: string]: Bound } = {
  minimum: (limit) => ({
    expectation: `to be >= ${limit}`,
    check: (value) => typeof value !== 'number' || value >= limit,
  }),
  maximum: (limit) => ({
    expectation: `to be <= ${limit}`,
    check: (value) => typeof value !== 'number' || value <= limit,
  }),
  exclusiveMinimum: (limit) => ({
    expectation: `to be > ${limit}`,
    check: (value) => typeof value !== 'number' || value > limit,
  }),
  exclusiveMaximum: (limit) => ({
    expectation: `to be < ${limit}`,
    check: (value) => typeof value !== 'number' || value < limit,
  }),
  multipleOf: (step) => ({
    expectation: `to be multiple of ${step}`,
    check: (value) => typeof value !== 'number' || isMultiple(value, step),
  }),
}

/** How large a number is. */
export const numbers: Group = {
  keywords: Object.keys(BOUNDS),
  compile: (place) =>
    Object.entries(BOUNDS).flatMap(([keyword, bound]) => compileBound(place, keyword, bound)),
}

function compileBound(place: Place, keyword: string, bound: Bound): readonly Rule[] {
  const limit = place.number(keyword)
  if (limit === undefined) return []
  if (keyword === 'multipleOf' && limit <= 0) place.wrong(keyword, 'a number above 0')
  const { expectation, check } = bound(limit)
  return [expecting(expectation, check)]
}

function isMultiple(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0
  return Number.isFinite(value) && isDecimalMultiple(value, step)
}

/** By the digits as they were written: 0.3 is a multiple of 0.1, though not in binary. */
function isDecimalMultiple(value: number, step: number): boolean {
  const [a, b] = [toDecimal(value), toDecimal(step)]
  const exponent = Math.min(a.exponent, b.exponent)
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent)
  return scaled(a) % scaled(b) === 0n
}

interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
