import { expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import type { ServerEvent } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { storeFailed } from '../../src/transports/http/store-failed.ts'

it('says once that a store is full, however many streams find out, and again when something else is wrong', () => {
  const seen: ServerEvent[] = []
  const server = defineServer({ name: 'full', version: '1', observe: (event) => seen.push(event) })
  const stored = { server, store: new MemoryStore() }
  for (let stream = 0; stream < 100; stream++) storeFailed(stored, 'event log')(new Error('OOM'))
  expect(seen).toHaveLength(1)
  storeFailed(stored, 'event log')(new Error('READONLY'))
  storeFailed(stored, 'sessions')(new Error('READONLY'))
  expect(seen).toMatchObject([
    { method: 'event log', error: { message: 'OOM' } },
    { method: 'event log', error: { message: 'READONLY' } },
    { method: 'sessions', error: { message: 'READONLY' } },
  ])
})

it('says the same again when ten seconds have passed', () => {
  const seen: ServerEvent[] = []
  const server = defineServer({ name: 'full', version: '1', observe: (event) => seen.push(event) })
  let time = 0
  Object.assign(server.platform, { now: () => time })
  const fail = storeFailed({ server, store: new MemoryStore() }, 'event log')
  const told = [0, 9999, 10_000, 19_999, 20_000].map((at) => {
    time = at
    fail(new Error('OOM'))
    return seen.length
  })
  expect(told).toEqual([1, 1, 2, 2, 3])
})
