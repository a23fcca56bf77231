import { expect, it } from 'vitest'
import type { ConsoleMessage } from '../../console/events.ts'
import type { JsonObject, Request } from '../../kernel/index.ts'
import { ChildFeed, FeedNames } from './child-feed.ts'

let seq = 0
const told = (
  connection: string,
  message: JsonObject,
  more: Partial<ConsoleMessage> = {},
): ConsoleMessage => ({
  ...{ seq: ++seq, time: 0, transport: 'http', revision: '2025-11-25', bytes: 1 },
  ...{ connection, message, direction: 'method' in message ? 'in' : 'out', ...more },
})
const request = (id: number): Request => ({ kind: 'request', id, method: 'x', params: {}, length: 0 })
const lost = (id: number) =>
  ({ request: request(id), transport: 'http', error: 'it ended', since: 0 }) as const

it('calls what a child counts by the number of the child as well, and keeps the names of sessions', () => {
  const names = new FeedNames()
  const called = [1, 2].map(() => {
    const feed = new ChildFeed(names)
    return ['c1', '0a1b2c3d', 'c1'].map((name) => feed.take(told(name, { method: 'x' }))?.connection)
  })
  expect(called).toEqual([
    ['c1', '0a1b2c3d', 'c1'],
    ['2-c1', '0a1b2c3d', '2-c1'],
  ])
})

it('has one name for the pipe, and leaves out what the next child is told of its client', () => {
  const names = new FeedNames()
  const stdio = { transport: 'stdio' }
  new ChildFeed(names).take(told('c3', { id: 1, method: 'initialize' }, stdio))
  const next = new ChildFeed(names)
  const replayed = [
    { id: 'perigee-dev-1', method: 'initialize' },
    { id: 'perigee-dev-1', result: {} },
    { method: 'notifications/initialized' },
    { id: 'perigee-dev', method: 'ping' },
    { id: 'perigee-dev', result: {} },
  ]
  for (const message of replayed) expect(next.take(told('c1', message, stdio))).toBe(undefined)
  expect(next.take(told('c1', { method: 'notifications/cancelled' }, stdio))?.connection).toBe('c3')
  expect(next.nameOf('c2')).toBe('2-c2')
})

it('tells the error of a request that it knows, in its conversation, and else the request before it', () => {
  const feed = new ChildFeed(new FeedNames())
  feed.take(told('c1', { id: 1, method: 'x' }))
  feed.take(told('c2', { id: 1, method: 'x' }))
  feed.take(told('c2', { id: 1, result: {} }))
  expect(feed.lose(lost(1))).toMatchObject([{ connection: 'c1', direction: 'out', revision: '2025-11-25' }])
  const unknown = feed.lose(lost(1))
  expect(unknown).toMatchObject([
    { connection: 'lost-1', direction: 'in', printed: '{"jsonrpc":"2.0","id":1,"method":"x","params":{}}' },
    {
      connection: 'lost-1',
      direction: 'out',
      printed: '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"it ended"}}',
    },
  ])
  expect(feed.lose({ ...lost(5), session: '0a1b2c3d-4e5f' })).toMatchObject([
    { connection: '0a1b2c3d' },
    { connection: '0a1b2c3d' },
  ])
})

it('remembers no more requests than it may', () => {
  const feed = new ChildFeed(new FeedNames())
  for (let id = 0; id < 2000; id++) feed.take(told('0a1b2c3d', { id, method: 'x' }))
  expect(feed.lose(lost(1))).toHaveLength(2)
  expect(feed.lose(lost(1500))).toHaveLength(1)
})
