import { describe, expect, it } from 'vitest'
import { compare, excerpts } from './diff.ts'

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
    expect(compare([deep, Array.from({ length: 50_000 }, () => 1)]).length).toBeLessThanOrEqual(10_001)
  })

  it('of long lists finds what differs at their ends, and nothing that does not', () => {
    const list = Array.from({ length: 3000 }, (_, at) => at)
    const rows = compare([{ list }, { more: 1, list }, { more: 1, list: [...list.slice(0, -1), 'end'] }])
    expect(rows.filter(({ differs }) => differs).map(({ path }) => path)).toEqual(['more', 'list[2999]'])
  })

  it('shows long texts around the place where they begin to differ', () => {
    const long = 'x'.repeat(1000)
    const [row] = compare([`${long}a${long}`, `${long}b${long}`])
    const [one = '', other = ''] = excerpts(row?.cells ?? [])
    expect([one.length, other.length]).toEqual([162, 162])
    expect([one, other]).toEqual([expect.stringMatching(/^…x+ax+…$/), expect.stringMatching(/^…x+bx+…$/)])
  })

  it('shows texts that are alike from their beginnings, and whole characters', () => {
    const cells = (...texts: (string | undefined)[]) => texts.map((text) => ({ text, differs: false }))
    expect(excerpts(cells('short', undefined))).toEqual(['short', undefined])
    expect(excerpts([...cells('x'.repeat(200)), { text: undefined, differs: true }])[0]).toMatch(/^x+…$/)
    expect(excerpts(cells('🌒'.repeat(100)))).toEqual([`${'🌒'.repeat(80)}…`])
    const [begun] = excerpts([
      ...cells(`${'🌒'.repeat(100)}!`),
      { text: `${'🌒'.repeat(100)}?`, differs: true },
    ])
    expect(begun).toMatch(/^…(?:🌒)+!$/u)
  })
})
