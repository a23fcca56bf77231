import { expect, it } from 'vitest'
import { MemoryStore } from '../../stores/memory.ts'
import { TaskChanges } from './changes.ts'
import type { TaskRecord } from './record.ts'

const record = (id: string) => ({ id }) as TaskRecord // As far as it is read here.

function createChanges(store = new MemoryStore(), node = 'here') {
  const heard: string[] = []
  const clocks = new Set<() => void>()
  const changes = new TaskChanges({
    store,
    node: () => node,
    heard: ({ id }) => void heard.push(id),
    after: (_milliseconds, run) => {
      clocks.add(run)
      return () => void clocks.delete(run)
    },
  })
  return { changes, heard, clocks, store }
}

it('hears what other processes change for as long as somebody watches, and nothing of its own', async () => {
  const { changes, heard, store } = createChanges()
  const others = createChanges(store, 'there').changes
  await others.publish(record('early'))
  const [first, second] = [await changes.watch(), await changes.watch()]
  await others.publish(record('1'))
  await changes.publish(record('own'))
  await store.publish('tasks', 'no record')
  await store.publish('tasks', { node: 'there', record: null })
  await store.publish('tasks', { node: 'there', record: { v: 2, id: 'in other words' } })
  expect(heard).toEqual(['1'])
  first()
  first()
  await new Promise(setImmediate)
  await others.publish(record('2'))
  second()
  await new Promise(setImmediate)
  await others.publish(record('3'))
  expect(heard).toEqual(['1', '2'])
  await changes.watch()
  await others.publish(record('4'))
  expect(heard).toEqual(['1', '2', '4'])
})

it('watches again after it could not', async () => {
  const { changes, heard, store } = createChanges()
  const { subscribe } = store
  store.subscribe = () => Promise.reject(new Error('away'))
  await expect(changes.watch()).rejects.toThrow('away')
  store.subscribe = subscribe
  const leave = await changes.watch()
  await createChanges(store, 'there').changes.publish(record('1'))
  expect(heard).toEqual(['1'])
  leave()
})

it('has a pause be over by a change of its task, by the signal, by the clock, or when it is ended', async () => {
  const { changes, clocks } = createChanges()
  const over: string[] = []
  const leaving = new AbortController()
  const begin = (name: string, id: string, { signal } = new AbortController()) => {
    const pause = changes.pause(id, signal)
    void pause.over.then(() => over.push(name))
    return pause
  }
  begin('changed', '1')
  begin('changed too', '1')
  begin('left', '2', leaving)
  const ended = begin('ended', '3')
  changes.wake('1')
  changes.wake('1')
  await new Promise(setImmediate)
  expect([over, clocks.size]).toEqual([['changed', 'changed too'], 2])
  leaving.abort()
  await new Promise(setImmediate)
  ended.end()
  await new Promise(setImmediate)
  expect([over.slice(2), clocks.size]).toEqual([['left', 'ended'], 0])
  begin('late', '1')
  for (const run of clocks) run()
  await new Promise(setImmediate)
  expect([over.at(-1), clocks.size]).toEqual(['late', 0])
})
