import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defineTool, elicit, Needs } from '../../src/index.ts'
import type { Store } from '../../src/kernel/index.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { accept, createSample, get, legacy, modern, start, statusOf } from './tasks-sample.ts'

const DOWN = { code: -32603, message: 'Internal error: tasks cannot be kept or found right now' }

type Operation = Exclude<keyof Store, 'close' | 'shared' | 'trouble'>

/** A store that can be made to fail, and that counts who listens to it. */
class Flaky implements Store {
  readonly shared: boolean = false
  readonly failing = new Set<Operation>()
  listeners = 0
  readonly #store = new MemoryStore()

  get: Store['get'] = (key) => this.#do('get', () => this.#store.get(key))
  put: Store['put'] = (key, value, options) => this.#do('put', () => this.#store.put(key, value, options))
  delete: Store['delete'] = (key) => this.#do('delete', () => this.#store.delete(key))
  append: Store['append'] = (log, value, options) =>
    this.#do('append', () => this.#store.append(log, value, options))
  read: Store['read'] = (log, after, limit) => this.#do('read', () => this.#store.read(log, after, limit))
  publish: Store['publish'] = (topic, message) =>
    this.#do('publish', () => this.#store.publish(topic, message))
  subscribe: Store['subscribe'] = (topic, listener) =>
    this.#do('subscribe', async () => {
      const leave = await this.#store.subscribe(topic, listener)
      this.listeners++
      return async () => {
        this.listeners--
        await leave()
      }
    })
  touch: Store['touch'] = (key, ttlMs) => this.#do('touch', () => this.#store.touch(key, ttlMs))
  take: Store['take'] = (bucket, rate) => this.#do('take', () => this.#store.take(bucket, rate))
  enter: Store['enter'] = (group, member, options) =>
    this.#do('enter', () => this.#store.enter(group, member, options))
  leave: Store['leave'] = (group, member) => this.#do('leave', () => this.#store.leave(group, member))
  trouble: Store['trouble'] = () => undefined
  close: Store['close'] = () => this.#store.close()

  async #do<Value>(operation: Operation, run: () => Promise<Value>): Promise<Value> {
    if (this.failing.has(operation)) throw new Error(`secret detail of ${operation}`)
    return run()
  }
}

const rejections: unknown[] = []
const note = (error: unknown) => rejections.push(error)

beforeEach(() => {
  rejections.length = 0
  process.on('unhandledRejection', note)
})

afterEach(async () => {
  for (let turn = 0; turn < 5; turn++) await setImmediate() // What is rejected is told of at the end of a turn.
  process.off('unhandledRejection', note)
  expect(rejections).toEqual([])
})

it.each(['get', 'put', 'append', 'subscribe'] as const)(
  'a store whose %s fails is told of, and a call is answered',
  async (broken) => {
    const store = new Flaky()
    const { server, open, seen } = createSample({ store })
    const client = await modern(server)
    const taskId = await start(client, 'wait')
    open()
    await expect.poll(() => statusOf(client, taskId)).toBe('completed')
    store.failing.add(broken)
    const attempt = broken === 'get' ? get(client, taskId) : client.callTool('wait')
    await expect(attempt).rejects.toMatchObject(DOWN)
    expect(seen.failures).toMatchObject([{ message: `secret detail of ${broken}` }])
    store.failing.clear()
    expect(await statusOf(client, taskId)).toBe('completed')
    const next = await start(client, 'wait')
    await expect.poll(() => statusOf(client, next)).toBe('completed')
  },
)

it('a function whose task could not be kept is told to stop', async () => {
  const store = new Flaky()
  const { server, seen } = createSample({ store })
  const client = await modern(server)
  store.failing.add('put')
  await expect(client.callTool('wait')).rejects.toMatchObject(DOWN)
  expect(seen).toMatchObject({ begun: 1, stopped: 1 })
  expect(store.listeners).toBe(0)
})

it('a result is kept when the store is back', async () => {
  const store = new Flaky()
  const { server, open, seen } = createSample({ store })
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  store.failing.add('put')
  open()
  await expect.poll(() => seen.failures.length).toBeGreaterThan(0)
  expect(await statusOf(client, taskId)).toBe('working')
  store.failing.clear()
  await expect.poll(() => statusOf(client, taskId)).toBe('completed')
})

it('a task that asks while the store is away asks when it is back', async () => {
  const store = new Flaky()
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const schema = { type: 'object', properties: { name: { type: 'string' } } } as const
  const late = defineTool({
    name: 'late',
    description: 'Asks after a while',
    task: 'optional',
    run: async (_args, call) => {
      await opened
      const asked = call.ask({ name: elicit({ message: 'Your name?', schema }) })
      return asked instanceof Needs ? asked : 'done'
    },
  })
  const { server, seen } = createSample({ store, tools: [late] })
  const client = await modern(server)
  const taskId = await start(client, 'late')
  store.failing.add('put')
  open()
  await expect.poll(() => seen.failures.length).toBeGreaterThan(0)
  store.failing.clear()
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
})

it('a change that nobody could be told of is still made', async () => {
  const store = new Flaky()
  const { server, seen } = createSample({ store })
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  store.failing.add('publish')
  await client.request('tasks/cancel', { taskId })
  expect(seen.stopped).toBe(1)
  expect(await statusOf(client, taskId)).toBe('cancelled')
})

it('a client that waits or listens is told when the store fails', async () => {
  const store = new Flaky()
  const { server } = createSample({ store })
  const [client, old] = [await modern(server), await legacy(server)]
  const taskId = await start(client, 'wait')
  store.failing.add('get')
  await expect(old.request('tasks/result', { taskId })).rejects.toMatchObject(DOWN)
  const listening = client.request('subscriptions/listen', { notifications: { taskIds: [taskId] } })
  await expect(listening).rejects.toMatchObject(DOWN)
})

it('nothing stays behind when everything is over', async () => {
  const store = new Flaky()
  const { server, open } = createSample({ store })
  const [client, old] = [await modern(server), await legacy(server)]
  const waiting = await start(client, 'wait')
  const asking = await start(client, 'ask')
  const cancelled = await start(client, 'wait')
  const stop = new AbortController()
  const notifications = { taskIds: [waiting] }
  const listening = client.request('subscriptions/listen', { notifications }, { signal: stop.signal })
  const result = old.request('tasks/result', { taskId: waiting })
  await expect.poll(() => statusOf(client, asking)).toBe('input_required')
  expect(store.listeners).toBe(1)
  open()
  await result
  await client.request('tasks/cancel', { taskId: cancelled })
  const inputResponses = { first: accept('a'), second: accept('b') }
  await client.request('tasks/update', { taskId: asking, inputResponses })
  await expect.poll(() => statusOf(client, asking)).toBe('completed')
  expect(store.listeners).toBe(1)
  stop.abort()
  await expect(listening).rejects.toThrow('aborted')
  await expect.poll(() => store.listeners).toBe(0)
  expect(server.listeners.size).toBe(1) // The handshake client hears of lists.
})

it('whoever listens when the server ends is let go', async () => {
  const store = new Flaky()
  const { server, open } = createSample({ store })
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  const listening = client.request('subscriptions/listen', { notifications: { taskIds: [taskId] } })
  await expect.poll(() => client.notices).toHaveLength(1)
  open()
  await expect.poll(() => statusOf(client, taskId)).toBe('completed')
  server.end()
  expect(await listening).toMatchObject({ resultType: 'complete' })
  await expect.poll(() => store.listeners).toBe(0)
})

it('whoever waits for a task when the store fails leaves nothing that would look again', async () => {
  const store = new Flaky()
  const { server } = createSample({ store })
  const { after } = server.platform
  const looks = new Set<() => void>()
  server.platform.after = (milliseconds, run) => {
    if (milliseconds !== 2000) return after(milliseconds, run)
    looks.add(run)
    return () => void looks.delete(run)
  }
  const client = await legacy(server)
  const waiting = client.request('tasks/result', { taskId: await start(client, 'wait') })
  await expect.poll(() => looks.size).toBe(1)
  store.failing.add('get')
  for (const look of looks) look()
  await expect(waiting).rejects.toMatchObject(DOWN)
  expect(looks.size).toBe(0)
})
