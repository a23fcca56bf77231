import { expect, it } from 'vitest'
import { StderrLines } from './stderr-lines.ts'

function hearing() {
  const told: string[] = []
  return { told, lines: new StderrLines((text) => told.push(text)) }
}

it('tells whole lines, however they come', () => {
  const { told, lines } = hearing()
  for (const piece of ['one se', 'cr', 'et\ntwo\nth', 'ree\n', '\nfour']) lines.hear(piece)
  expect(told).toEqual(['one secret\ntwo\n', 'three\n', '\n'])
  lines.end()
  lines.end()
  expect(told.at(-1)).toBe('four\n')
  expect(lines.lastWords).toBe('one secret\ntwo\nthree\nfour')
})

it('keeps of a line without end what anybody would read', () => {
  const { told, lines } = hearing()
  for (let count = 0; count < 100; count++) lines.hear('x'.repeat(1000))
  lines.hear('y\nnext\n')
  expect(told).toEqual([`${'x'.repeat(8192)}\nnext\n`])
})

it('has as its last words whole lines, or the beginning of one', () => {
  const { lines } = hearing()
  lines.hear(`begins with a secret ${'x'.repeat(1500)}\n${'y'.repeat(1000)}\nlast\n`)
  expect(lines.lastWords).toBe(`${'y'.repeat(1000)}\nlast`)
  lines.hear(`long ${'z'.repeat(5000)}\n`)
  expect(lines.lastWords).toBe(`long ${'z'.repeat(1995)}`)
})
