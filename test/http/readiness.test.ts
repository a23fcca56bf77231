import { expect, it, onTestFinished } from 'vitest'
import { createFetchHandler, MemoryStore, openStore, type ServerDefinition } from '../../src/index.ts'
import type { Store } from '../../src/kernel/index.ts'
import { Host } from './host.ts'
import { createSample } from './sample.ts'

/** A store that says it is in trouble while the test wants it to be. */
function shakyStore() {
  const shaky = { reason: undefined as string | undefined }
  const trouble = (): string | undefined => shaky.reason
  const store: Store = Object.assign(new MemoryStore(), { shared: true, trouble })
  return { shaky, store }
}

const PROBES = { health: '/healthz', readiness: '/readyz' }

async function start(more: Partial<ServerDefinition> = {}): Promise<(path: string) => Promise<unknown[]>> {
  const host = await Host.start(PROBES, createSample(more))
  onTestFinished(() => host[Symbol.asyncDispose]())
  return async (path) => {
    const { status, message } = await host.send({ method: 'GET', path, headers: { host: 'a.probe' } })
    return [status, message]
  }
}

it('says that it is ready, who it is and where it keeps things', async () => {
  const ask = await start({ store: shakyStore().store })
  await expect
    .poll(() => ask('/readyz'))
    .toEqual([200, { status: 'ready', node: expect.stringMatching(/^[\da-f]{10}$/), store: 'memory:' }])
})

it('is no node where nobody shares its store', async () => {
  const ask = await start()
  expect(await ask('/readyz')).toEqual([200, { status: 'ready', store: 'memory:' }])
})

it('says why it is not ready while its store is in trouble, and is healthy all the same', async () => {
  const { shaky, store } = shakyStore()
  const ask = await start({ store })
  await expect.poll(async () => (await ask('/readyz'))[0]).toBe(200)
  shaky.reason = 'The engine does not answer'
  expect(await ask('/readyz')).toMatchObject([
    503,
    { status: 'not ready', reason: 'The engine does not answer' },
  ])
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
  shaky.reason = undefined
  expect(await ask('/readyz')).toMatchObject([200, { status: 'ready' }])
})

/** A handler that starts with its first request, with a module that opens when the test wants it to. */
function startSlowly(open: () => Promise<void>) {
  const { server } = createSample({ modules: [{ name: 'slow', open }], store: shakyStore().store })
  const handler = createFetchHandler(server, PROBES)
  onTestFinished(async () => void (await handler.close(0)))
  return async (path: string) => {
    const answer = await handler(new Request(`http://localhost${path}`))
    return [answer.status, await answer.json()]
  }
}

it('is not ready before it has started, and a probe does not wait for that', async () => {
  let opened = () => {}
  const opening = new Promise<void>((resolve) => {
    opened = resolve
  })
  const ask = startSlowly(() => opening)
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
  expect(await ask('/readyz')).toMatchObject([503, { reason: 'The server is starting' }])
  opened()
  await expect.poll(async () => (await ask('/readyz'))[0]).toBe(200)
})

it('is not ready when it does not start, and tries again', async () => {
  let isBroken = true
  const ask = startSlowly(async () => {
    if (isBroken) throw new Error('not yet')
  })
  expect((await ask('/readyz'))[0]).toBe(503)
  isBroken = false
  await expect.poll(async () => (await ask('/readyz'))[0]).toBe(200)
})

it('is not ready any more when it closes', async () => {
  const { server } = createSample()
  const handler = createFetchHandler(server, PROBES)
  await handler.close(0)
  const ask = async (path: string) => {
    const answer = await handler(new Request(`http://localhost${path}`))
    return [answer.status, await answer.json()]
  }
  expect(await ask('/readyz')).toMatchObject([503, { reason: 'The server is closing' }])
  expect(await ask('/healthz')).toEqual([503, { status: 'closing' }])
})

it('is asked in vain where no path was set', async () => {
  await using host = await Host.start()
  expect((await host.send({ method: 'GET', path: '/readyz' })).status).toBe(404)
})

it.each([
  ['redis://:secret@a.host:7000/3?prefix=one:', 'redis://a.host:7000/3?prefix=one:'],
  ['rediss://user:secret@a.host', 'rediss://a.host'],
  ['postgres://user:secret@a.host/db?sslmode=verify-full&prefix=one:', 'postgres://a.host/db?prefix=one:'],
])('tells of %s what two nodes that share it have in common, and nothing secret', (url, place) => {
  expect(openStore(url).place).toBe(place)
})
