import { expect, it, onTestFinished, type TestContext } from 'vitest'
import { startPostgres } from '../../scripts/postgres.mjs'
import { startRedis } from '../../scripts/redis.mjs'
import { Host } from '../http/host.ts'
import { createSample } from '../http/sample.ts'
import { startEngine } from './engine.ts'
import { openFor } from './store.ts'

const ENGINES = {
  Redis: await startEngine('Redis', startRedis),
  PostgreSQL: await startEngine('PostgreSQL', startPostgres),
}

const PATIENCE = { timeout: 20_000, interval: 20 }
const PROBES = { health: '/healthz', readiness: '/readyz' }

it.for(Object.keys(ENGINES) as (keyof typeof ENGINES)[])(
  'a node is not ready while %s says nothing, and ready when it is back',
  async (name, context) => {
    const engine = ENGINES[name](context as TestContext)
    const noted: string[] = []
    const observe = (event: { readonly kind: string; readonly message?: unknown }) => {
      if (event.kind === 'noted') noted.push(String(event.message))
    }
    const host = await Host.start(
      PROBES,
      createSample({ store: openFor(engine), secrets: ['a secret'], observe }),
    )
    onTestFinished(() => host[Symbol.asyncDispose]())
    const ask = async (path: string) => await host.send({ method: 'GET', path })
    const status = async () => (await ask('/readyz')).status
    await expect.poll(status, PATIENCE).toBe(200)
    const { store } = JSON.parse((await ask('/readyz')).text)
    expect(store).toMatch(/^(redis|postgres):\/\/127\.0\.0\.1:\d+/)
    const frozen = performance.now()
    await engine.freeze()
    onTestFinished(() => engine.thaw())
    await expect.poll(status, PATIENCE).toBe(503)
    const noticed = performance.now()
    const { text } = await ask('/readyz')
    expect(JSON.parse(text).reason).toContain('127.0.0.1')
    expect(text).not.toContain('correct-horse')
    expect((await ask('/healthz')).status).toBe(200)
    const away = /^The store is away, and what needs it is refused: .*127\.0\.0\.1/
    await expect.poll(() => noted, PATIENCE).toEqual([expect.stringMatching(away)])
    const thawed = performance.now()
    await engine.thaw()
    await expect.poll(status, PATIENCE).toBe(200)
    const back = Math.round(performance.now() - thawed)
    await expect.poll(() => noted.slice(1), PATIENCE).toEqual(['The store is back'])
    expect(noted.join()).not.toContain('correct-horse')
    console.info(`${name}: noticed after ${Math.round(noticed - frozen)} ms, ready again after ${back} ms`)
  },
)
