import { describe, expect, it } from 'vitest'
import { compare } from './diff.ts'

describe('a comparison', () => {
  it('marks what differs from the last, place by place', () => {
    const rows = compare([{ a: 1 }, { a: 2, b: [true] }, { a: 2, b: [true], c: 'x' }])
    expect(
      rows.map(({ path, cells }) => [
        path,
        ...cells.map(({ text, differs }) => `${text}${differs ? '!' : ''}`),
      ]),
    ).toEqual([
      ['a', '1!', '2', '2'],
      ['b[0]', 'undefined!', 'true', 'true'],
      ['c', 'undefined!', 'undefined!', '"x"'],
    ])
  })

  it('marks nothing where there is no answer yet', () => {
    expect(compare([undefined, { a: 1 }])[0]).toEqual({
      path: 'a',
      cells: [
        { text: undefined, differs: false },
        { text: '1', differs: false },
      ],
      differs: false,
    })
  })

  it('ends in deep and in long values', () => {
    let deep: unknown = 1
    for (let at = 0; at < 1000; at++) deep = { deep }
    expect(compare([deep, Array.from({ length: 5000 }, () => 1)]).length).toBeLessThanOrEqual(401)
  })
})
