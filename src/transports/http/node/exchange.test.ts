import { expect, it } from 'vitest'
import { GET, serveBare } from '../../../../test/http/bare.ts'
import { LARGE } from '../../traffic.ts'

/** How a request is understood. */
async function understand(text: string) {
  const { dial, take } = await serveBare()
  await dial(`${text}\r\n\r\n`)
  return (await take()).exchange
}

it.each([
  ['/a?b=1?c', '/a', 'b=1?c', 'own'],
  ['/a', '/a', '', 'own'],
  ['*', '*', '', 'own'],
  ['http://other.example/a?b', '/a', 'b', 'other.example'],
  ['HTTP://other.example', '/', '', 'other.example'],
  ['http://other.example?b', '/', 'b', 'other.example'],
  ['ftp://other.example/a', 'ftp://other.example/a', '', 'own'],
])('a request for %s is one for the path %s', async (target, path, query, host) => {
  const found = await understand(`OPTIONS ${target} HTTP/1.1\r\nhost: own`)
  expect([found.path, found.query, found.headers['host']]).toEqual([path, query, host])
  expect([found.method, found.secure, found.remote]).toEqual(['OPTIONS', false, '127.0.0.1'])
})

it.each([
  [['host: a', 'host: a'], { host: 'several' }],
  [['host: a', 'host: a', 'origin: b'], { host: 'several', origin: 'b' }],
  [['origin: a', 'Origin: b', 'host: a'], { origin: 'several', host: 'a' }],
  [['authorization: a', 'AUTHORIZATION: b'], { authorization: 'a, b' }],
  [['set-cookie: a', 'set-cookie: b'], { 'set-cookie': 'a, b' }],
  [['set-cookie: a'], { 'set-cookie': 'a' }],
  [['host: a', 'from: a', 'accept: x', 'accept: y', 'origin: b'], { host: 'a', accept: 'x, y', origin: 'b' }],
])('headers that come more than once are not taken for one: %j', async (lines, expected) => {
  expect((await understand(['GET / HTTP/1.1', ...lines].join('\r\n'))).headers).toMatchObject(expected)
})

it('is answered once', async () => {
  const { dial, take } = await serveBare()
  const wire = await dial(GET)
  const { exchange } = await take()
  expect(exchange.answering).toBe(false)
  exchange.answer(200, { 'x-one': '1' }, 'first')
  exchange.answer(500, {}, 'second')
  expect(await wire.until(/first/)).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*x-one: 1\r\n/)
  expect(exchange.answering).toBe(true)
  expect(await wire.until(/first/)).not.toContain('second')
})

it('is told that it was the last on its connection', async () => {
  const { dial, take } = await serveBare()
  const wire = await dial(GET)
  const { exchange } = await take()
  exchange.announceEnd()
  exchange.answer(200, {}, 'last')
  expect(await wire.all()).toMatch(/connection: close\r\n[\s\S]*last$/i)
})

it('tells when its client leaves before the answer, and not after it', async () => {
  const { dial, take } = await serveBare()
  const left: string[] = []
  const [first, second] = [await dial(GET), await dial(GET)]
  const [one, other] = [await take(), await take()]
  one.exchange.onGone(() => left.push('first'))
  other.exchange.onGone(() => left.push('second'))
  one.exchange.answer(200, {}, 'answer')
  await first.until(/answer/)
  first.socket.destroy()
  second.socket.destroy()
  await expect.poll(() => left).toEqual(['second'])
  other.exchange.onGone(() => left.push('late'))
  await expect.poll(() => left).toEqual(['second', 'late'])
  other.exchange.answer(200, {}, 'to nobody')
})

it('is answered at once where the rest of its body is not wanted, and nothing more is read', async () => {
  const { dial, take } = await serveBare()
  const wire = await dial('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nxx')
  ;(await take()).exchange.answer(413, { connection: 'close' }, 'too large')
  expect(await wire.until(/too large/)).toMatch(
    /^HTTP\/1.1 413 Payload Too Large\r\nconnection: close\r\ncontent-length: 9\r\n\r\ntoo large$/,
  )
})

it('is answered with as much as is not large yet, however much waits to be taken', async () => {
  const { dial, take, traffic } = await serveBare({ maxUnsentBytes: 100 })
  const wire = await dial(GET)
  const { exchange } = await take()
  traffic.owe({ unread: 100, destroy: () => {} })
  exchange.answer(200, {}, `${'x'.repeat(LARGE - 1)}.`)
  expect(await wire.until(/\.$/)).toMatch(/^HTTP\/1.1 200 /)
})
