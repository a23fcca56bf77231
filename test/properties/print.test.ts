import fc from 'fast-check'
import { expect, it } from 'vitest'
import { print } from '../../src/kernel/index.ts'
import { anyJson } from './any.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 40 })

/** Blocks of text alone, and what looks like them. */
const anyBlock = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('text'), text: anyText }) },
  fc.record(
    { type: fc.constantFrom('text', 'image'), text: anyJson, more: anyJson },
    { requiredKeys: ['type'] },
  ),
  anyText.map((text) => ({ type: 'text', text, toJSON: () => 'something else' })),
  anyText.map((text) =>
    Object.assign(
      new (class {
        toJSON() {
          return 'inherited'
        }
      })(),
      { type: 'text', text },
    ),
  ),
  anyJson,
)

const anyResult = fc.record(
  {
    content: fc.oneof(
      { weight: 4, arbitrary: fc.array(anyBlock, { minLength: 1, maxLength: 1 }) },
      fc.array(anyBlock),
      anyJson,
    ),
    isError: fc.oneof({ weight: 3, arbitrary: fc.boolean() }, anyJson, fc.constant(undefined)),
    resultType: fc.oneof(fc.constant('complete'), anyText, anyJson),
    _meta: fc.oneof(fc.dictionary(anyText, anyJson), anyJson, fc.constant(undefined)),
    structuredContent: anyJson,
  },
  { requiredKeys: [] },
)

const anyId = fc.oneof(fc.integer(), fc.maxSafeInteger(), anyText)

it('prints every answer as JSON.stringify would', () => {
  let byHand = 0
  fc.assert(
    fc.property(anyId, anyResult, (id, result) => {
      const message = { jsonrpc: '2.0', id, result } as const
      const printed = print(message)
      if (printed.startsWith('{"jsonrpc":"2.0","id":') && printed !== JSON.stringify(message)) byHand++
      expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(message)))
    }),
    { numRuns: 3000 },
  )
  expect(byHand).toBeGreaterThan(0)
})
