import { deepEqual, equal } from 'node:assert/strict'
import type { Json } from '../../kernel/index.ts'
import { eventually } from '../contract.ts'
import type { StoreTests } from './under-test.ts'

export const TOPICS: StoreTests = {
  async 'topics tell every subscriber, in order, what is published from then on'({ store }) {
    const heard: [string, Json][] = []
    await store.publish('topic', 'too early')
    await store.subscribe('topic', (message) => heard.push(['first', message]))
    await store.subscribe('topic', (message) => heard.push(['second', message]))
    await store.subscribe('other', (message) => heard.push(['other', message]))
    await store.publish('topic', { n: 1 })
    await store.publish('topic', { n: 2 })
    await eventually(() => equal(heard.length, 4))
    const heardBy = (who: string) => heard.filter(([one]) => one === who).map(([, message]) => message)
    deepEqual(heardBy('first'), [{ n: 1 }, { n: 2 }])
    deepEqual(heardBy('second'), [{ n: 1 }, { n: 2 }])
  },

  async 'topics leave in peace a listener that has left'({ store }) {
    const heard: string[] = []
    const leave = await store.subscribe('topic', () => heard.push('left'))
    await store.subscribe('topic', () => heard.push('stayed'))
    await leave()
    await leave()
    await store.publish('topic', 1)
    await eventually(() => deepEqual(heard, ['stayed']))
  },

  async 'topics let a listener leave while it is told'({ store }) {
    const heard: string[] = []
    const leave = await store.subscribe('topic', () => {
      heard.push('once')
      void leave()
    })
    await store.publish('topic', 1)
    await eventually(() => deepEqual(heard, ['once']))
    await store.publish('topic', 2)
    await store.subscribe('topic', () => heard.push('last'))
    await store.publish('topic', 3)
    await eventually(() => deepEqual(heard, ['once', 'last']))
  },
}
