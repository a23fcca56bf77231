import { expect, it } from 'vitest'
import { DEFAULTS, GRACE_MS } from './settings.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

it('serves as the pages say unless it is told otherwise', () => {
  expect(GRACE_MS).toBe(30 * SECOND)
  expect(DEFAULTS).toEqual({
    path: '/mcp',
    base: '',
    ssePair: true,
    sessionless: 'refused',
    sessionIdleMs: 30 * MINUTE,
    keepAliveMs: 15 * SECOND,
    retryMs: SECOND,
    eventsTtlMs: 5 * MINUTE,
    allowedHosts: [],
    allowedOrigins: [],
    allowAnonymous: true,
    successor: false,
    pages: {},
    middleware: [],
  })
})
