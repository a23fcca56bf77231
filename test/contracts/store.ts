import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json, Store } from '../../src/kernel/index.ts'

export interface StoreContract {
  readonly name: string
  /** A fresh store that nobody else uses. */
  create(): Store | Promise<Store>
  /** A second door to what the given store keeps, where two processes can share it. */
  share?(store: Store): Store | Promise<Store>
}

const TTL_MS = 40
/** Well after what lives for TTL_MS has expired. */
const EXPIRED_MS = 200

/** What every store must do; the tests of a driver call this and nothing else. */
export function testStore({ name, create, share }: StoreContract): void {
  describe(name, () => {
    let store: Store
    beforeEach(async () => {
      store = await create()
    })
    afterEach(() => store.close())

    describe('entries', () => {
      it.each<[string, Json]>([
        ['a text', 'Zürich ✓'],
        ['a number', 1.5],
        ['null', null],
        ['false', false],
        ['an array', [1, [2], { a: null }]],
        ['an object', { a: { b: 'c' }, ['__proto__']: 'just a name' }],
      ])('hold %s', async (_what, value) => {
        await store.put('key', value)
        expect((await store.get('key'))?.value).toEqual(value)
      })

      it('are missing until they are put', async () => {
        expect(await store.get('key')).toBeUndefined()
        expect(await store.get('__proto__')).toBeUndefined()
      })

      it('have versions that begin at 1 and grow', async () => {
        expect(await store.put('key', 'a')).toBe(1)
        expect(await store.put('key', 'b')).toBe(2)
        expect(await store.get('key')).toEqual({ value: 'b', version: 2 })
      })

      it('are put only over the version that was named', async () => {
        expect(await store.put('key', 'a', { ifVersion: 1 })).toBeUndefined()
        expect(await store.put('key', 'a', { ifVersion: 0 })).toBe(1)
        expect(await store.put('key', 'b', { ifVersion: 0 })).toBeUndefined()
        expect(await store.put('key', 'b', { ifVersion: 1 })).toBe(2)
        expect(await store.put('key', 'c', { ifVersion: 1 })).toBeUndefined()
        expect(await store.get('key')).toEqual({ value: 'b', version: 2 })
      })

      it('are won by one of two writers that race', async () => {
        await store.put('key', 0)
        const races = Array.from({ length: 10 }, (_one, number) => store.put('key', number, { ifVersion: 1 }))
        const won = (await Promise.all(races)).filter((version) => version !== undefined)
        expect(won).toEqual([2])
      })

      it('count right however many write', async () => {
        const increase = async (): Promise<unknown> => {
          const entry = await store.get('count')
          const next = Number(entry?.value ?? 0) + 1
          const version = await store.put('count', next, { ifVersion: entry?.version ?? 0 })
          return version ?? increase()
        }
        await Promise.all(Array.from({ length: 10 }, increase))
        expect((await store.get('count'))?.value).toBe(10)
      })

      it('expire', async () => {
        await store.put('brief', 'a', { ttlMs: TTL_MS })
        await store.put('lasting', 'a')
        await sleep(EXPIRED_MS)
        expect(await store.get('brief')).toBeUndefined()
        expect((await store.get('lasting'))?.value).toBe('a')
        expect(await store.put('brief', 'b', { ifVersion: 0 })).toBeDefined()
      })

      it('live as long as the last put says', async () => {
        await store.put('key', 'a', { ttlMs: TTL_MS })
        await store.put('key', 'b')
        await sleep(EXPIRED_MS)
        expect((await store.get('key'))?.value).toBe('b')
      })

      it('are gone when they are deleted', async () => {
        await store.put('key', 'a')
        await store.put('other', 'a')
        await store.delete('key')
        await store.delete('never there')
        expect(await store.get('key')).toBeUndefined()
        expect((await store.get('other'))?.value).toBe('a')
      })
    })

    describe('logs', () => {
      const numbers = async (log: string, after = 0, limit = 100) =>
        (await store.read(log, after, limit)).map(({ number }) => number)

      it('are empty until something is appended', async () => {
        expect(await store.read('log', 0, 10)).toEqual([])
      })

      it('give numbers that begin at 1 and grow by one', async () => {
        expect(await store.append('log', 'a')).toBe(1)
        expect(await store.append('log', { b: 1 })).toBe(2)
        expect(await store.append('other', 'c')).toBe(1)
        expect(await store.read('log', 0, 10)).toEqual([
          { number: 1, value: 'a' },
          { number: 2, value: { b: 1 } },
        ])
      })

      it('keep the order in which was appended', async () => {
        const given = await Promise.all(
          Array.from({ length: 50 }, (_one, index) => store.append('log', index)),
        )
        expect(given).toEqual(Array.from({ length: 50 }, (_one, index) => index + 1))
        const items = await store.read('log', 0, 100)
        expect(items.map(({ value }) => value)).toEqual(Array.from({ length: 50 }, (_one, index) => index))
      })

      it('are read from a number on, so many at a time', async () => {
        for (let count = 0; count < 5; count++) await store.append('log', 'x')
        expect(await numbers('log', 2)).toEqual([3, 4, 5])
        expect(await numbers('log', 1, 2)).toEqual([2, 3])
        expect(await numbers('log', 5)).toEqual([])
        expect(await numbers('log', 99)).toEqual([])
      })

      it('keep fewer when they are told to', async () => {
        for (let count = 0; count < 10; count++) await store.append('log', count, { keep: 8 })
        await store.append('log', 'last', { keep: 2 })
        expect((await store.read('log', 0, 100)).map(({ value }) => value)).toEqual([9, 'last'])
      })

      it('keep so many of their last items, and count on', async () => {
        for (let count = 0; count < 10; count++) await store.append('log', 'x', { keep: 3 })
        expect(await numbers('log')).toEqual([8, 9, 10])
        expect(await store.append('log', 'x', { keep: 3 })).toBe(11)
      })

      it('expire some time after the last append', async () => {
        await store.append('brief', 'a', { ttlMs: TTL_MS })
        await store.append('lasting', 'a')
        await sleep(EXPIRED_MS)
        expect(await numbers('brief')).toEqual([])
        expect(await numbers('lasting')).toEqual([1])
      })

      it('are gone when they are deleted', async () => {
        await store.append('log', 'a')
        await store.append('other', 'a')
        await store.delete('log')
        expect(await numbers('log')).toEqual([])
        expect(await numbers('other')).toEqual([1])
      })

      it('are no entries', async () => {
        await store.append('name', 'item')
        await store.put('name', 'entry')
        expect(await store.read('name', 0, 10)).toEqual([{ number: 1, value: 'item' }])
        expect((await store.get('name'))?.value).toBe('entry')
      })
    })

    describe('topics', () => {
      it('tell every subscriber, in order, what is published from then on', async () => {
        const heard: [string, Json][] = []
        await store.publish('topic', 'too early')
        await store.subscribe('topic', (message) => heard.push(['first', message]))
        await store.subscribe('topic', (message) => heard.push(['second', message]))
        await store.subscribe('other', (message) => heard.push(['other', message]))
        await store.publish('topic', { n: 1 })
        await store.publish('topic', { n: 2 })
        await expect.poll(() => heard.length).toBe(4)
        expect(heard.filter(([who]) => who === 'first')).toEqual([
          ['first', { n: 1 }],
          ['first', { n: 2 }],
        ])
        expect(heard.filter(([who]) => who === 'second')).toHaveLength(2)
      })

      it('leave in peace a listener that has left', async () => {
        const heard: string[] = []
        const leave = await store.subscribe('topic', () => heard.push('left'))
        await store.subscribe('topic', () => heard.push('stayed'))
        await leave()
        await leave()
        await store.publish('topic', 1)
        await expect.poll(() => heard).toEqual(['stayed'])
      })

      it('let a listener leave while it is told', async () => {
        const heard: string[] = []
        const leave = await store.subscribe('topic', () => {
          heard.push('once')
          void leave()
        })
        await store.publish('topic', 1)
        await expect.poll(() => heard).toEqual(['once'])
        await store.publish('topic', 2)
        await store.subscribe('topic', () => heard.push('last'))
        await store.publish('topic', 3)
        await expect.poll(() => heard).toEqual(['once', 'last'])
      })
    })

    if (share !== undefined) testSharing(() => store, share)
  })
}

function testSharing(own: () => Store, share: (store: Store) => Store | Promise<Store>): void {
  describe('two doors to it', () => {
    it('lead to one truth', async () => {
      const store = own()
      const other = await share(store)
      await store.put('key', 'a')
      expect((await other.get('key'))?.value).toBe('a')
      const races = [store.put('key', 'b', { ifVersion: 1 }), other.put('key', 'c', { ifVersion: 1 })]
      expect((await Promise.all(races)).filter((version) => version !== undefined)).toEqual([2])
      expect(await store.append('log', 1)).toBe(1)
      expect(await other.append('log', 2)).toBe(2)
      await other.close()
    })

    it('let listeners on both sides hear', async () => {
      const store = own()
      const other = await share(store)
      const heard: string[] = []
      await store.subscribe('topic', () => heard.push('here'))
      await other.subscribe('topic', () => heard.push('there'))
      await other.publish('topic', 1)
      await expect.poll(() => heard.toSorted(), { timeout: 10_000 }).toEqual(['here', 'there'])
      await other.close()
    })
  })
}
