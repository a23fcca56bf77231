import { expect, it } from 'vitest'
import { createValidator } from '../schema/index.ts'
import { MemoryStore } from '../stores/memory.ts'
import { createPlatform } from './index.ts'

const platform = createPlatform({ validator: createValidator(), store: new MemoryStore(), secrets: [] })

it('calls back after a while, unless it is called off', async () => {
  const called: string[] = []
  const callOff = platform.after(5, () => called.push('called off'))
  callOff()
  await new Promise<void>((resolve) => platform.after(20, () => resolve(void called.push('called'))))
  expect(called).toEqual(['called'])
})

it('has a clock and ids that do not repeat', () => {
  expect(platform.now()).toBeGreaterThan(1.7e12)
  expect(platform.randomId()).not.toBe(platform.randomId())
})

it('waits as long as timers can where it is told to wait longer, and does not ring at once', async () => {
  const called: string[] = []
  const callOff = platform.after(30 * 24 * 3_600_000, () => called.push('long'))
  await new Promise<void>((resolve) => platform.after(20, () => resolve(void called.push('short'))))
  callOff()
  expect(called).toEqual(['short'])
})
