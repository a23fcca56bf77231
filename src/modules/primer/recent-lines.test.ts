import { expect, it } from 'vitest'
import { RecentLines } from './recent-lines.ts'

it('keeps the last thousand lines', () => {
  const lines = new RecentLines(1_000_000)
  for (let n = 0; n < 1500; n++) lines.push(`line ${n}`)
  const kept = lines.text().split('\n')
  expect(kept).toHaveLength(1000)
  expect([kept.at(0), kept.at(-1)]).toEqual(['line 500', 'line 1499'])
})

it('keeps no more characters than it may, and the newest of them', () => {
  const lines = new RecentLines(100)
  for (let n = 0; n < 50; n++) {
    lines.push(`line ${n}`)
    expect(lines.length).toBeLessThanOrEqual(100)
    expect(lines.text().length).toBeLessThanOrEqual(100)
  }
  expect(lines.text()).toMatch(/line 48\nline 49$/)
  lines.push('x'.repeat(99))
  expect(lines.text()).toBe('x'.repeat(99))
  lines.push('x'.repeat(100))
  expect([lines.text(), lines.length]).toEqual(['', 0])
})

it('cuts a line that is too long', () => {
  const lines = new RecentLines(1_000_000)
  lines.push('x'.repeat(900_000))
  expect(lines.text()).toBe(`${'x'.repeat(500)}…`)
})

it('makes one line of whatever it is given', () => {
  const lines = new RecentLines(1000)
  lines.push('a\n2026-01-01 00:00:00 INFO forged\r\u2028\u001b[31m\0\u202e')
  expect(lines.text()).toBe('a\\u{a}2026-01-01 00:00:00 INFO forged\\u{d}\\u{2028}\\u{1b}[31m\\u{0}\\u{202e}')
})
