import { expect, it } from 'vitest'
import { SlowMotion } from '../../../test/setup/slow-motion.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { MemoryStore } from '../../stores/memory.ts'
import type { Json } from '../jsonrpc/message.ts'
import type { Store } from '../ports/store.ts'
import type { ServerChange } from './listener.ts'

/** One that several servers may have, and that can be said to have missed something, or be made to fail. */
class SharedStore extends MemoryStore {
  override readonly shared = true
  readonly published: Json[] = []
  miss = () => {}
  failing: Error | undefined

  override async publish(topic: string, message: Json): Promise<void> {
    if (this.failing !== undefined) throw this.failing
    this.published.push(message)
    await super.publish(topic, message)
  }

  override async subscribe(topic: string, listener: (message: Json) => void, missed = () => {}) {
    this.miss = missed
    const leave = await super.subscribe(topic, listener)
    return async () => {
      if (this.failing !== undefined) throw this.failing
      await leave()
    }
  }
}

/** A server that shares the store, and what whoever listens there is told. */
async function serve(store: Store) {
  const [heard, failures]: [ServerChange[], unknown[]] = [[], []]
  const server = defineServer({
    name: 's',
    version: '1',
    store,
    observe: (event) => {
      if (event.kind === 'crashed') failures.push([event.method, event.error])
    },
  })
  await server.start()
  server.listeners.add({ tell: (change) => void heard.push(change), end: () => {} })
  return { server, heard, failures }
}

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 2))

it('is told of what changes on another node, once, and not again of what changes here', async () => {
  const store = new SharedStore()
  const [here, there] = [await serve(store), await serve(store)]
  here.server.updated('x:a')
  here.server.updated('x:a')
  await expect.poll(() => there.heard).toEqual([{ resource: 'x:a' }])
  await turn()
  expect(here.heard).toEqual([{ resource: 'x:a' }, { resource: 'x:a' }])
  expect(store.published).toHaveLength(1)
})

it.each([
  [1000, 'each', 1000],
  [1001, 'that anything may have changed', 1],
])('of %d changes in one turn other nodes are told %s', async (count, _what, told) => {
  const store = new SharedStore()
  const [here, there] = [await serve(store), await serve(store)]
  for (let number = 0; number < count; number++) here.server.updated(`x:${number}`)
  await expect.poll(() => there.heard).toHaveLength(told)
  expect('anything' in (there.heard[0] ?? {})).toBe(told === 1)
  here.server.updated('x:next')
  await expect.poll(() => there.heard.at(-1)).toEqual({ resource: 'x:next' })
})

it('takes anything to have changed when the store says that something may have been missed', async () => {
  const store = new SharedStore()
  const { heard } = await serve(store)
  store.miss()
  expect(heard).toEqual([{ anything: true }])
})

const AUDIENCES = [{ scopes: ['a'] }, { owner: 'ann', scopes: [] }]
const UNDERSTOOD = [
  { list: 'tools', audiences: [] },
  { list: 'resources', audiences: AUDIENCES },
  { list: 'prompts', audiences: AUDIENCES },
  { resource: 'x:a' },
  { task: { id: '1', outcome: {} } },
  { anything: true },
]

const STRANGE: readonly Json[] = [
  null,
  'tools',
  {},
  { list: 'roots', audiences: [] },
  { list: 'tools' },
  { list: 'tools', audiences: {} },
  { list: 'tools', audiences: [{ scopes: [] }, null] },
  { list: 'tools', audiences: [{ owner: 'ann' }] },
  { list: 'tools', audiences: [{ scopes: 'a' }] },
  { resource: 5 },
  { task: null },
  { task: { id: 5, outcome: {} } },
  { task: { id: '1' } },
  { task: { id: '1', outcome: null } },
  { anything: 1 },
]

it.each<Json>([
  'changes',
  null,
  [],
  { node: 'other' },
  { node: 'other', changes: { 0: { anything: true } } },
  ...STRANGE.map((change) => ({ node: 'other', changes: [change] })),
])('passes over what it does not understand: %j', async (message) => {
  const store = new SharedStore()
  const { heard } = await serve(store)
  await store.publish('changes', message)
  expect(heard).toEqual([])
  await store.publish('changes', { node: 'other', changes: [...STRANGE, ...UNDERSTOOD] })
  expect(heard).toEqual(UNDERSTOOD)
})

it('says that the store failed, and goes on telling when it does not', async () => {
  const store = new SharedStore()
  const [here, there] = [await serve(store), await serve(store)]
  store.failing = new Error('away')
  here.server.updated('x:a')
  await expect.poll(() => here.failures).toEqual([['changes', store.failing]])
  store.failing = undefined
  here.server.updated('x:b')
  await expect.poll(() => there.heard).toEqual([{ resource: 'x:b' }])
})

it('says that the store could not be left, once it is closed', async () => {
  const store = new SharedStore()
  const { server, failures } = await serve(store)
  store.failing = new Error('away')
  await server.close()
  expect(failures).toEqual([['close (store)', store.failing]])
})

it('neither tells nor is told once it is closed', async () => {
  const store = new SharedStore()
  const { server, heard } = await serve(store)
  await server.close()
  await store.publish('changes', { node: 'other', changes: UNDERSTOOD })
  expect(heard).toEqual([])
  server.updated('x:a')
  await turn()
  expect(store.published).toHaveLength(1)
})

it('hears when its server has started, and no more when that has closed', async () => {
  const store = new SharedStore()
  const slow = new SlowMotion().slowStore(store)
  const server = defineServer({ name: 's', version: '1', store, secrets: ['a secret that all of them know'] })
  await server.start()
  expect([slow.take(), slow.underWay]).toEqual([['subscribe changes'], []])
  await server.close()
  expect([slow.take(), slow.underWay]).toEqual([['end of subscribe changes'], []])
})
