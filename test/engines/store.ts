import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import type { Engine } from '../../scripts/engine.d.mts'
import type { Store } from '../../src/kernel/index.ts'
import { openStore } from '../../src/stores/index.ts'
import { testStore } from '../../src/testing/index.ts'

type EngineOr = (context: TestContext) => Engine

/** A URL whose keys nobody else has. */
export function urlWithPrefix({ url }: Engine, prefix = `${randomUUID()}:`): string {
  const changed = new URL(url)
  changed.searchParams.set('prefix', prefix)
  return changed.href
}

export function openFor(engine: Engine, prefix?: string): Store {
  const store = openStore(urlWithPrefix(engine, prefix))
  onTestFinished(() => store.close())
  return store
}

/** What a store promises, on a real engine. */
export function describeContract(name: string, engineOr: EngineOr): void {
  describe(`the store in ${name}`, () => {
    let engine: Engine
    const urls = new WeakMap<Store, string>()
    const open = (url: string) => {
      const store = openStore(url)
      urls.set(store, url)
      return store
    }
    const tests = testStore({
      create: () => open(urlWithPrefix(engine)),
      share: (store) => open(urls.get(store) ?? ''),
    })
    for (const { name: title, run } of tests)
      it(title, (context) => {
        engine = engineOr(context)
        return run()
      })
  })
}

/** How every sentence about an engine begins. */
const PLACE = /^The (Redis server|PostgreSQL database postgres on) 127\.0\.0\.1:/

const PATIENCE = { timeout: 20_000 }

/** What it does while its engine is away, and when that comes back. */
export function describeAbsence(name: string, engineOr: EngineOr): void {
  describe(`the store in ${name}, when that is away`, () => {
    let server: Engine
    beforeEach((context) => {
      server = engineOr(context)
    })

    it.each([
      ['is killed', 'halt', 'start'],
      ['falls silent', 'freeze', 'thaw'],
    ] as const)(
      'tells of it when it %s, refuses at once, and goes on when it is back',
      async (_what, end, begin) => {
        const engine = server
        const [store, other] = [openFor(engine, 'away:'), openFor(engine, 'away:')]
        const heard: unknown[] = []
        await store.subscribe(
          'topic',
          (message) => heard.push(message),
          () => heard.push('missed'),
        )
        await store.subscribe(
          'second',
          () => {},
          () => heard.push('missed too'),
        )
        await store.put('key', 'kept')
        await store.append('log', 'kept')
        await engine[end]()
        onTestFinished(async () => void (await engine[begin]().catch(() => {})))
        await expect(store.get('key')).rejects.toThrow(PLACE)
        await expect.poll(() => store.trouble(), PATIENCE).toMatch(PLACE)
        const refused = await Promise.allSettled(
          Array.from({ length: 1000 }, () => store.append('log', 'lost')),
        )
        expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']))
        await expect(store.subscribe('third', () => {})).rejects.toThrow(PLACE)
        expect(store.trouble()).not.toContain('correct-horse')
        await engine[begin]()
        await expect.poll(() => [store.trouble(), other.trouble()], PATIENCE).toEqual([undefined, undefined])
        await expect.poll(() => heard, PATIENCE).toEqual(['missed', 'missed too'])
        expect(await store.get('key')).toEqual({ value: 'kept', version: 1 })
        expect((await store.read('log', 0, 10))[0]).toEqual({ number: 1, value: 'kept' })
        await other.publish('topic', 'again')
        await expect.poll(() => heard, PATIENCE).toEqual(['missed', 'missed too', 'again'])
        await store.delete('key')
        await store.delete('log')
      },
    )

    it('finds an engine that comes later than the store', async () => {
      const engine = server
      await engine.halt()
      onTestFinished(async () => void (await engine.start().catch(() => {})))
      const store = openFor(engine)
      await expect(store.get('key')).rejects.toThrow('cannot be reached')
      expect(store.trouble()).toMatch(PLACE)
      await engine.start()
      await expect.poll(() => store.trouble(), PATIENCE).toBe(undefined)
      expect(await store.put('key', 'a')).toBe(1)
    })
  })
}
