import { spend } from '../effort.ts'
import type { SchemaPlace } from '../place.ts'
import { expecting, type Rule, type ValueCheck } from '../rule.ts'
import type { Keywords } from './keywords.ts'

/** How large a number is. */
export const numbers: Keywords = {
  minimum: bound('minimum', '>=', (limit) => (value) => typeof value !== 'number' || value >= limit),
  maximum: bound('maximum', '<=', (limit) => (value) => typeof value !== 'number' || value <= limit),
  exclusiveMinimum: bound(
    'exclusiveMinimum',
    '>',
    (limit) => (value) => typeof value !== 'number' || value > limit,
  ),
  exclusiveMaximum: bound(
    'exclusiveMaximum',
    '<',
    (limit) => (value) => typeof value !== 'number' || value < limit,
  ),
  multipleOf(place) {
    const step = place.number('multipleOf')
    if (step === undefined) return undefined
    if (step <= 0) place.wrong('multipleOf', 'a number above 0')
    const isMultiple = multiplesOf(step)
    return expecting(`to be multiple of ${step}`, (value) => typeof value !== 'number' || isMultiple(value))
  },
}

function bound(keyword: string, sign: string, checkOf: (limit: number) => ValueCheck) {
  return (place: SchemaPlace): Rule | undefined => {
    const limit = place.number(keyword)
    return limit === undefined ? undefined : expecting(`to be ${sign} ${limit}`, checkOf(limit))
  }
}

/** Up to here a number of so many digits is written in one way only. */
const EXACT = 1e15

/** In parts as small as the step's last decimal a multiple of it is a whole number; no other has as few decimals. */
function multiplesOf(step: number): (value: number) => boolean {
  const { digits, exponent } = toDecimal(step)
  const [scale, whole] = [10 ** -exponent, Number(digits)]
  const isShort = exponent <= 0 && exponent >= -15 && whole < EXACT
  return (value) => {
    const parts = Math.round(value * scale)
    if (isShort && Math.abs(parts) < EXACT) return parts / scale === value && parts % whole === 0
    return Number.isFinite(value) && isDecimalMultiple(value, step)
  }
}

/** By the digits as they were written: 0.3 is a multiple of 0.1, though not in binary. */
function isDecimalMultiple(value: number, step: number): boolean {
  const [a, b] = [toDecimal(value), toDecimal(step)]
  spend(64 + (Math.abs(a.exponent - b.exponent) >> 2)) // That many digits are written out.
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
