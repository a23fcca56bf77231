import { expect, it } from 'vitest'
import { type KeptMessage, KeptMessages } from './kept-messages.ts'

const message = (text = '{}'): Omit<KeptMessage, 'seq'> => ({
  ...{ time: 0, connection: 'c1', transport: 'stdio', direction: 'in', revision: null },
  ...{ bytes: text.length, text },
})

it('keeps the last ones, under numbers that go on', () => {
  const kept = new KeptMessages({ messages: 3, bytes: 1e6 })
  for (let count = 0; count < 10; count++) kept.add(message())
  expect(kept.after(0).map(({ seq }) => seq)).toEqual([8, 9, 10])
  expect(kept.after(9).map(({ seq }) => seq)).toEqual([10])
  expect(kept.after(10)).toEqual([])
  expect([kept.size, kept.last]).toEqual([3, 10])
})

it('keeps no more bytes than it may, and forgets the oldest', () => {
  const kept = new KeptMessages({ messages: 1e6, bytes: 10_000 })
  for (let count = 0; count < 100; count++) kept.add(message('x'.repeat(800)))
  expect(kept.size).toBe(10)
  expect(kept.bytes).toBe(10_000)
  kept.add(message('y'.repeat(20_000)))
  expect([kept.size, kept.bytes]).toEqual([0, 0])
  kept.add(message())
  expect(kept.after(0).map(({ seq }) => seq)).toEqual([102])
})

it('gives as much as is wanted in one go, and at least one', () => {
  const kept = new KeptMessages({ messages: 100, bytes: 1e6 })
  for (let count = 0; count < 10; count++) kept.add(message('x'.repeat(100)))
  expect(kept.after(0, 250).map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect(kept.after(5, 1).map(({ seq }) => seq)).toEqual([6])
})

it('goes on for ever in the same room', () => {
  const kept = new KeptMessages({ messages: 50, bytes: 1e6 })
  for (let count = 1; count <= 20_000; count++) {
    kept.add(message())
    if (count % 1999 === 0) expect(kept.after(0).at(0)?.seq).toBe(count - 49)
  }
})
