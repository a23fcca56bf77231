import { expect, it } from 'vitest'
import { tokensIn } from './tokens.ts'
import { Weights } from './weights.ts'

const LEAVES = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    1e21,
    Number.NaN,
    '',
    'a',
    '"',
    '\\\\',
    'Ab c',
    '[[]]',
    'é日',
    '\n',
    'x'.repeat(300),
  ],
  ...[undefined, new Date(0), () => 1, new Map(), Object.create(null)],
]

it('weighs a value as its JSON weighs', () => {
  let seed = 3
  const pick = (most: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor(seed / 65536) % most
  }
  const make = (depth: number): unknown => {
    const kind = depth === 0 ? 0 : pick(3)
    if (kind === 0) return LEAVES[pick(LEAVES.length)]
    const parts = Array.from({ length: pick(4) }, () => make(depth - 1))
    return kind === 1 ? parts : Object.fromEntries(parts.map((one, at) => [['a', '', '-', 'B b'][at], one]))
  }
  for (let round = 0; round < 5000; round++) {
    const value = make(4)
    expect([value, new Weights().of(value)]).toEqual([value, tokensIn(JSON.stringify(value) ?? '')])
  }
})

it('reads what is heavy once, however deep it lies and however often it is asked for', () => {
  let reads = 0
  const leaf = { toJSON: () => `read ${++reads}` }
  let deep: unknown = [leaf, 'many words '.repeat(100)]
  for (let depth = 0; depth < 200; depth++) deep = [deep, { deep: 'x' }]
  const weights = new Weights()
  for (let inner = deep; Array.isArray(inner); inner = inner[0]) weights.of(inner)
  expect(reads).toBe(1)
})

it('lets others have their turns while it weighs very many parts', async () => {
  const rows = Array.from({ length: 50_000 }, (_, id) => ({ id }))
  const weights = new Weights()
  let turns = 0
  let isDone = false
  const preparing = weights.prepare({ rows }).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise(setImmediate)
    turns++
  }
  await preparing
  expect(turns).toBeGreaterThan(20)
  expect(weights.of({ rows })).toBe(tokensIn(JSON.stringify({ rows })))
})
