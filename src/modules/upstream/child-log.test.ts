import { expect, it } from 'vitest'
import { ChildLog } from './child-log.ts'

const hide = (line: string) => line.replaceAll('hush', '[…]')

it('tells as much as anybody can read, and how much it has left out', () => {
  const noted: string[] = []
  let now = 0
  const log = new ChildLog({ name: 'noisy', now: () => now, note: (message) => noted.push(message), hide })
  log.hear(`${'x'.repeat(5000)}\n\n`)
  log.hear('again\n'.repeat(99))
  now = 1000
  log.hear('later\n')
  expect(noted[0]).toBe(`noisy: ${'x'.repeat(1000)}`)
  expect(noted.slice(-2)).toEqual(['noisy: … and 50 lines more', 'noisy: later'])
  expect(noted).toHaveLength(52)
})

it('leaves no half of a secret where a line is cut', () => {
  const noted: string[] = []
  const log = new ChildLog({ name: 'noisy', now: () => 0, note: (message) => noted.push(message), hide })
  log.hear(`${'x'.repeat(998)}hush\n`)
  expect(noted).toEqual([`noisy: ${'x'.repeat(998)}[…`])
})
