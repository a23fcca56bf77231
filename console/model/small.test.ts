import { describe, expect, it } from 'vitest'
import { toInstant, toLocal } from './dates.ts'
import { compare } from './diff.ts'
import { summarize, toTable } from './json.ts'
import { litPath, moonPhase } from './moon.ts'
import { firstVisible, ROW_HEIGHT } from './rows.ts'
import { BUCKET_MS, BUCKETS, percentile, Recent } from './stats.ts'
import { cut, duration, estimateTokens, safeLink, short, showUnseen, splitUnseen } from './text.ts'
import { expand, variablesOf } from './uri-template.ts'

describe('percentiles', () => {
  it('are by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100])
    expect(percentile([7], 0.5)).toBe(7)
    expect(percentile([], 0.5)).toBeUndefined()
  })

  it('of the last minutes forget what is older, and grow no further', () => {
    const recent = new Recent()
    for (let at = 0; at < 10_000; at++) recent.add({ time: at * BUCKET_MS, ms: at, failed: at % 2 === 0 })
    const now = 9999 * BUCKET_MS
    expect(recent.read(now)).toHaveLength(BUCKETS)
    expect(recent.read(now).at(-1)).toMatchObject({ calls: 1, errors: 0, p50: 9999 })
    expect(recent.total(now)).toMatchObject({ calls: BUCKETS, errors: BUCKETS / 2 })
  })
})

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

describe('text from elsewhere', () => {
  it('has what would not be seen shown', () => {
    expect(showUnseen('user\u202egnp.exe')).toBe('user⟨U+202E⟩gnp.exe')
    expect(splitUnseen('a\u{e0041}b\u200b')).toEqual([
      { text: 'a' },
      { text: '\u{e0041}', code: 'U+E0041' },
      { text: 'b' },
      { text: '\u200b', code: 'U+200B' },
    ])
    expect(showUnseen('plain\ttext\nå 日本 👩‍👩‍👧')).toBe('plain\ttext\nå 日本 👩‍👩‍👧')
  })

  it('is never cut within a character', () => {
    expect(cut('a😀', 2)).toBe('a')
    expect(cut('abc', 3)).toBe('abc')
  })

  it('is linked to pages and mail alone', () => {
    expect(safeLink('https://example.com/a')).toBe('https://example.com/a')
    expect(safeLink('mailto:a@example.com')).toBe('mailto:a@example.com')
    for (const bad of ['javascript:1', ' javascript:1', 'data:x,y', '/here', 'ftp://a'])
      expect(safeLink(bad)).toBeUndefined()
  })

  it('has its numbers short', () => {
    expect([950, 1234, 48_000, 3_100_000].map(short)).toEqual(['950', '1.2k', '48k', '3.1M'])
    expect([0.42, 12.3, 3400, 120_000].map(duration)).toEqual(['0.4 ms', '12 ms', '3.4 s', '2 min'])
    expect(estimateTokens('x'.repeat(36))).toBe(10)
  })
})

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

describe('a URI template', () => {
  it('has its variables, each once', () => {
    expect(variablesOf('a://{x}/{+y,x}{?q*,r:3}')).toEqual(['x', 'y', 'q', 'r'])
  })

  it.each([
    ['a://{x}', 'a://b%20c%2Fd'],
    ['a://{+x}', 'a://b%20c/d'],
    ['a:{?x,y}', 'a:?x=b%20c%2Fd'],
    ['a:{/x}{#z}', 'a:/b%20c%2Fd'],
    ['a:{x:1}', 'a:b'],
  ])('%s becomes %s', (template, uri) => {
    expect(expand(template, { x: 'b c/d' })).toBe(uri)
  })
})

it('shows as many rows as can be seen, and a few beyond', () => {
  expect(firstVisible({ top: 0, height: 280, count: 10_000 })).toEqual({ from: 0, to: 22 })
  const { from, to } = firstVisible({ top: 5000 * ROW_HEIGHT, height: 280, count: 10_000 })
  expect(from).toBe(4994)
  expect(to - from).toBe(22)
  expect(firstVisible({ top: 1e9, height: 280, count: 100 })).toEqual({ from: 78, to: 100 })
  expect(firstVisible({ top: 0, height: 280, count: 3 })).toEqual({ from: 0, to: 3 })
})

it('takes instants from a field in local time, and gives them back', () => {
  const instant = '2026-11-16T12:30:00Z'
  expect(toInstant(toLocal(instant))).toBe(instant)
  expect(toLocal('nonsense')).toBe('')
  expect(toInstant('')).toBeUndefined()
})

it('knows about how old the Moon is', () => {
  expect(moonPhase(Date.UTC(2021, 4, 26, 11, 14))).toBeCloseTo(0.5, 1)
  expect(litPath(0.25, 10)).toMatch(/^M0,-10A10,10 0 0 1 0,10A0\.00,10 /)
})
