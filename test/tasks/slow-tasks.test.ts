import { expect, it } from 'vitest'
import { MemoryStore } from '../../src/stores/memory.ts'
import { SlowMotion } from '../setup/slow-motion.ts'
import { accept, createSample, get, legacy, modern, start, statusOf } from './tasks-sample.ts'

/** A server whose store takes its time; what is kept is seen at once. */
function createSlow() {
  const store = new MemoryStore()
  const look = store.get.bind(store)
  const slow = new SlowMotion().slowStore(store)
  const kept = async (taskId: string) => (await look(`tasks/${taskId}`))?.value
  return { ...createSample({ store }), store, slow, kept }
}

const KEPT = ['subscribe tasks', 'put task-nodes/…', 'put tasks/…', 'append tasks-of-all']

it('a client hears of a task that is kept and listed, by a process that has said that it is alive', async () => {
  const { server, slow } = createSlow()
  const client = await legacy(server)
  const taskId = await start(client, 'wait')
  expect([slow.asked, slow.underWay]).toEqual([KEPT, []])
  expect(await client.request('tasks/list')).toMatchObject({ tasks: [{ taskId }] })
})

it('whoever has cancelled a task hears so when that is kept, and others have been told', async () => {
  const { server, slow } = createSlow()
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  slow.take()
  await client.request('tasks/cancel', { taskId })
  expect(slow.asked.slice(0, 3)).toEqual(['get tasks/…', 'get tasks/…', 'put tasks/…'])
  expect(slow.asked).toContainEqual(expect.stringMatching('^publish tasks'))
  expect(slow.underWay).not.toContain('publish tasks')
})

it('whoever has answered a task hears so when that is kept', async () => {
  const { server, kept } = createSlow()
  const client = await modern(server)
  const taskId = await start(client, 'ask')
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  await client.request('tasks/update', { taskId, inputResponses: { first: accept('Ann') } })
  expect(await kept(taskId)).toMatchObject({ given: { first: accept('Ann') } })
})

it('whoever waits for a task is asked once, and has its result', async () => {
  const { server } = createSlow()
  let times = 0
  const answer = () => {
    times++
    return accept('Ann')
  }
  const client = await legacy(server, { answers: { 'elicitation/create': answer } })
  const taskId = await start(client, 'insist')
  const result = await client.request('tasks/result', { taskId })
  expect([result, times]).toMatchObject([{ content: [{ text: 'Hello, Ann' }] }, 1])
})

it('a task whose client cannot answer is over when its client hears so', async () => {
  const { server, kept } = createSlow()
  let times = 0
  const answer = () => {
    times++
    throw new Error('not today')
  }
  const client = await legacy(server, { answers: { 'elicitation/create': answer } })
  const taskId = await start(client, 'insist')
  expect(await client.request('tasks/result', { taskId })).toMatchObject({ isError: true })
  expect(times).toBe(1)
  expect(await kept(taskId)).toMatchObject({ outcome: { status: 'completed', result: { isError: true } } })
})

it('a task is held until its result is kept', async () => {
  const { server, open, slow, kept } = createSlow()
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  open()
  while (!slow.underWay.includes('put tasks/…')) await new Promise(setImmediate)
  expect(server.tasks().holds(taskId)).toBe(true)
  await expect.poll(() => server.tasks().holds(taskId)).toBe(false)
  expect(await kept(taskId)).toMatchObject({ outcome: { status: 'completed' } })
  expect(await get(client, taskId)).toMatchObject({ status: 'completed' })
})

it('a task whose process is gone is taken over by one that has said that it is alive', async () => {
  const { server, store, slow, kept } = createSlow()
  const client = await modern(server)
  const taskId = await start(client, 'ask')
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  await slow.rest()
  const record = await kept(taskId)
  await store.put(`tasks/${taskId}`, { ...(record as object), node: 'gone' })
  const other = await modern(createSample({ store }).server)
  slow.take()
  expect(await statusOf(other, taskId)).toBe('input_required')
  const adopted = ['subscribe tasks', 'put task-nodes/…', 'get tasks/…', 'put tasks/…', 'publish tasks']
  expect(slow.asked.slice(0, 7)).toEqual(['get tasks/…', 'get task-nodes/…', ...adopted])
})

it('a server that has closed has said goodbye', async () => {
  const { server, slow } = createSlow()
  await start(await modern(server), 'wait')
  slow.take()
  await server.close()
  expect(slow.asked.join()).toContain('put task-nodes/…')
  expect(slow.underWay).not.toContain('put task-nodes/…')
})
