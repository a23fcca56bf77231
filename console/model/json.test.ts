import { describe, expect, it } from 'vitest'
import { summarize, toTable } from './json.ts'

describe('JSON', () => {
  it('that is a list of alike objects is a table', () => {
    expect(toTable([{ a: 1, b: 2 }, { a: 3 }])).toMatchObject({ columns: ['a', 'b'] })
    expect(toTable([{ a: 1 }, { b: 1 }, { c: 1 }])).toBeUndefined()
    expect(toTable([1, 2])).toBeUndefined()
    expect(toTable([{ a: 1 }])).toBeUndefined()
  })

  it('is summarized in a few words', () => {
    expect([[], [1, 2], {}, { a: 1 }, 'x', null].map(summarize)).toEqual([
      '[]',
      '[ 2 ]',
      '{}',
      '{ 1 }',
      '"x"',
      'null',
    ])
  })
})
