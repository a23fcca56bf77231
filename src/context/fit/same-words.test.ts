import { expect, it } from 'vitest'
import { findUnsaid, sayAll } from './same-words.ts'

const KiB = 1024
const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `row ${at}`, on: true }))

/** A list that counts how often something is read of it. */
function counted(items: readonly unknown[]) {
  let reads = 0
  const get = (from: object, name: string | symbol) => {
    if (typeof name === 'string') reads++
    return Reflect.get(from, name)
  }
  return { list: new Proxy(items, { get }), reads: () => reads }
}

it('a text says what is in data where it has all its texts and numbers', () => {
  expect(sayAll(['| row 0 |', 'Row 1'], rows(2))).toBe(true)
  expect(sayAll(['| row 0 |'], rows(2))).toBe(false)
  expect(sayAll([], { a: [{}], b: null })).toBe(true)
})

it('a text is unsaid where data has less than nine in ten of its words, names of members among them', () => {
  expect(findUnsaid(['name: row 1, on: true', 'One row is missing', ''], rows(2))).toEqual([
    'One row is missing',
  ])
})

it('a text that is longer than what hosts show counts as the same, whatever it says', () => {
  const [long, half] = ['other '.repeat(11 * KiB), 'other '.repeat(6 * KiB)]
  expect([sayAll([long], rows(1)), sayAll([half, half], rows(1))]).toEqual([true, true])
  expect([findUnsaid([long], rows(1)), findUnsaid([half, half], rows(1))]).toEqual([[], []])
  expect([sayAll([half], rows(1)), findUnsaid([half], rows(1))]).toEqual([false, [half]])
})

it('of much data no more is looked at than is compared, and what is not looked at is not said', () => {
  for (const items of [rows(100_000), Array(100_000).fill(''), Array(100_000).fill(1)]) {
    const { list, reads } = counted(items)
    expect(sayAll(['row 1 and more'], { list })).toBe(false)
    expect(findUnsaid(['row 99999'], { list })).toEqual(['row 99999'])
    expect(reads()).toBeLessThan(5 * 64 * KiB)
  }
})

it('where there is no text, data is not looked at to find what it does not say', () => {
  const { list, reads } = counted(rows(10))
  expect(findUnsaid([], { list })).toEqual([])
  expect(reads()).toBe(0)
})
