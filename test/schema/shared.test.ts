import { expect, it } from 'vitest'
import { compile } from '../../src/schema/json/index.ts'

const bounds = { known: new Map(), formats: 'noted', maxParts: 1000, maxSteps: 10_000 } as const

/** Authors write a part once, and put the object in several places. */
const size = { $ref: '#/$defs/size' }
const box = (type: string) => ({
  $id: `https://boxes.example/${type}`,
  $defs: { size: { type } },
  properties: { size },
})
const boxes = {
  properties: { named: box('string'), counted: box('integer') },
}

it('one object in two resources refers to what each of them has', () => {
  const { fits, check } = compile(boxes, bounds)
  expect(fits({ named: { size: 'large' }, counted: { size: 3 } })).toBe(true)
  expect(fits({ named: { size: 3 } })).toBe(false)
  expect(check({ counted: { size: 'large' } })).toEqual([
    { path: 'counted.size', message: 'expected an integer, got the string "large"' },
  ])
})

it('one resource that stands in two places is one', () => {
  const shared = box('integer')
  const { fits } = compile({ properties: { a: shared, b: shared } }, bounds)
  expect(fits({ a: { size: 1 }, b: { size: 2 } })).toBe(true)
  expect(fits({ a: { size: 1 }, b: { size: 'large' } })).toBe(false)
})

it('one object whose relative $id means another resource in each is two', () => {
  const part = { $id: 'part', $defs: { size: { type: 'integer' } }, $ref: '#/$defs/size' }
  const within = (name: string) => ({ $id: `https://${name}.example/`, properties: { part } })
  const { fits } = compile({ properties: { a: within('a'), b: within('b') } }, bounds)
  expect(fits({ a: { part: 1 }, b: { part: 2 } })).toBe(true)
  expect(fits({ b: { part: 'large' } })).toBe(false)
})
