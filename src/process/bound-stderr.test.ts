import { PassThrough } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { defineServer } from '../authoring/define-server.ts'

afterEach(() => vi.unstubAllGlobals())

it('drops what nobody reads past the budget of the server, and shows how much waits', async () => {
  vi.resetModules() // It is done once in a process.
  const { boundStderr } = await import('./bound-stderr.ts')
  const stderr = new PassThrough({ highWaterMark: 1 })
  vi.stubGlobal('process', { ...process, stderr })
  const server = defineServer({ name: 's', version: '1', budgets: { maxUnreadLogBytes: 10 } })
  boundStderr(server)
  for (let line = 0; line < 9; line++) stderr.write('12345')
  const waiting = stderr.writableLength
  expect(waiting).toBeGreaterThanOrEqual(10)
  expect(waiting).toBeLessThan(20)
  expect(server.usage.read('maxUnreadLogBytes')).toBe(waiting)
})
