import { expect, it } from 'vitest'
import { createReader } from '../../../test/http/reader.ts'
import { createSites, firstOf, openSession } from '../../../test/http/sites.ts'
import { tend } from './site.ts'

it('is tended until it is told that it needs that no more', async () => {
  const { sites, wait } = createSites(1, { keepAliveMs: 1000, sessionIdleMs: 10_000 })
  const site = firstOf(sites)
  const { standalone } = await openSession(site, 'listening')
  const { exchange, comments } = createReader()
  await standalone.open(exchange, {})
  await openSession(site, 'idle')
  comments.length = 0
  const stop = tend(site)
  await wait(12_000)
  expect([comments.length, site.sessions.has('idle')]).toEqual([12, false])
  await openSession(site, 'idle')
  stop()
  await wait(12_000)
  expect([comments.length, site.sessions.has('idle')]).toEqual([12, true])
})
