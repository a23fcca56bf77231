import { expect, it } from 'vitest'
import {
  accept,
  createSample,
  get,
  legacy,
  modern,
  start,
  statusOf,
} from '../../../test/tasks/tasks-sample.ts'
import { MemoryStore } from '../../stores/memory.ts'
import { elicit, Needs } from '../asking/needs.ts'
import type { Link } from '../calls/link.ts'
import type { Middleware } from '../calls/middleware.ts'
import type { Server } from '../calls/server.ts'
import type { Call } from '../definitions/authors.ts'
import type { Store } from '../ports/store.ts'
import { NEWEST } from '../revisions/index.ts'
import { takeOver } from './worker.ts'

const NAME = { type: 'object', properties: { name: { type: 'string' } } } as const
const WHO = { name: elicit({ message: 'Who?', schema: NAME }) }
const INTERRUPTED = { status: 'failed', error: { message: expect.stringContaining('interrupted') } }

/** A tool that asks, and then tells all that it has been told. */
const recall = {
  name: 'recall',
  task: 'required' as const,
  run: (_args: unknown, call: Call) => {
    const asked = call.ask(WHO, { state: 'kept' })
    return asked instanceof Needs ? asked : JSON.stringify([call.answers, call.state])
  },
}

const recordOf = (server: Server, taskId: string) => server.tasks().find(taskId, undefined)

async function edit(store: Store, taskId: string, more: object): Promise<void> {
  const entry = await store.get(`tasks/${taskId}`)
  await store.put(`tasks/${taskId}`, { ...(entry?.value as object), ...more })
}

/** Has nobody wait for real: every pause is over at once, and is told. */
function hurry({ platform }: Server): number[] {
  const pauses: number[] = []
  const { after } = platform
  platform.after = (milliseconds, run) => {
    if (![100, 1000, 5000, 15_000].includes(milliseconds)) return after(milliseconds, run)
    pauses.push(milliseconds)
    return after(0, run)
  }
  return pauses
}

it('a result is tried to be kept five times, ever more rarely, and is then given up', async () => {
  const store = new MemoryStore()
  const { server, open, seen } = createSample({ store })
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  const pauses = hurry(server)
  const { put } = store
  store.put = () => Promise.reject(new Error('away'))
  open()
  await expect.poll(() => server.tasks().holds(taskId)).toBe(false)
  expect(seen.failures.length).toBeGreaterThanOrEqual(5)
  expect(pauses.filter((pause) => pause !== 1000)).toEqual([100, 5000, 15_000])
  store.put = put
  expect(await get(client, taskId)).toMatchObject(INTERRUPTED)
})

it('a task that was asking goes on elsewhere with what it had been told, and what it had kept', async () => {
  const store = new MemoryStore()
  const [here, there] = [createSample({ store, tools: [recall] }), createSample({ store, tools: [recall] })]
  const client = await modern(here.server)
  const taskId = await start(client, 'recall')
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  await edit(store, taskId, { node: 'gone' })
  const other = await modern(there.server)
  expect(await statusOf(other, taskId)).toBe('input_required')
  expect(await recordOf(there.server, taskId)).toMatchObject({ runs: 2, node: there.server.tasks().node })
  await other.request('tasks/update', { taskId, inputResponses: { name: accept('Ann') } })
  const text = JSON.stringify([{ name: accept('Ann') }, 'kept'])
  await expect.poll(() => get(other, taskId)).toMatchObject({ result: { content: [{ text }] } })
})

it('a task that was answered when its server ended goes on with the answers', async () => {
  const store = new MemoryStore()
  const [here, there] = [createSample({ store, tools: [recall] }), createSample({ store, tools: [recall] })]
  const client = await modern(here.server)
  const taskId = await start(client, 'recall')
  await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
  const answered = { questions: {}, given: { name: accept('Ann') }, outcome: { status: 'working' } }
  await edit(store, taskId, { node: 'gone', ...answered, revision: 'of a newer server' })
  const text = JSON.stringify([{ name: accept('Ann') }, 'kept'])
  const other = await modern(there.server)
  await expect.poll(() => get(other, taskId)).toMatchObject({ result: { content: [{ text }] } })
})

it('a task in a revision that only this server speaks goes on in it', async () => {
  const own = { ...NEWEST, id: 'own-1' }
  const store = new MemoryStore()
  const tell = { ...recall, name: 'tell', run: (_args: unknown, { peer }: Call) => peer.revision.id }
  const annotations = { idempotentHint: true }
  const { server } = createSample({ store, tools: [{ ...tell, annotations }], revisions: [own] })
  const client = await modern(server)
  for (const [revision, text] of [
    ['own-1', 'own-1'],
    ['2025-11-25', '2025-11-25'],
    ['of a newer server', NEWEST.id],
  ] as const) {
    const taskId = await start(client, 'tell')
    await expect.poll(() => statusOf(client, taskId)).toBe('completed')
    await edit(store, taskId, { node: 'gone', revision, outcome: { status: 'working' } })
    await expect.poll(() => get(client, taskId)).toMatchObject({ result: { content: [{ text }] } })
  }
})

it.each([
  [2, 'completed'],
  [3, 'failed'],
])('a task that has been run %d times when its server ends has %s', async (runs, status) => {
  const store = new MemoryStore()
  const tell = { ...recall, name: 'tell', annotations: { idempotentHint: true }, run: () => 'told' }
  const client = await modern(createSample({ store, tools: [tell] }).server)
  const taskId = await start(client, 'tell')
  await expect.poll(() => statusOf(client, taskId)).toBe('completed')
  await edit(store, taskId, { node: 'gone', runs, outcome: { status: 'working' } })
  await expect.poll(() => statusOf(client, taskId)).toBe(status)
})

it('a task whose schemas answer later goes on elsewhere with what it was given, and has its output checked', async () => {
  const validate = async (value: unknown) => ({ value })
  const jsonSchema = { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) }
  const later = { '~standard': { version: 1 as const, vendor: 'test', validate, jsonSchema } }
  const echo = { ...recall, name: 'echo', input: later, output: later, run: (args: unknown) => ({ args }) }
  const store = new MemoryStore()
  const { server } = createSample({ store, tools: [{ ...echo, annotations: { idempotentHint: true } }] })
  const client = await modern(server)
  const taskId = await start(client, 'echo', { arguments: { text: 'hi' } })
  const done = { status: 'completed', result: { structuredContent: { args: { text: 'hi' } } } }
  await expect.poll(() => get(client, taskId)).toMatchObject(done)
  await edit(store, taskId, { node: 'gone', outcome: { status: 'working' } })
  await expect.poll(() => get(client, taskId)).toMatchObject(done)
  expect(await recordOf(server, taskId)).toMatchObject({ runs: 2 })
})

it('a task that somebody else has taken over meanwhile, or that is gone, is not said to be interrupted', async () => {
  const store = new MemoryStore()
  const { server } = createSample({ store })
  const client = await modern(server)
  const taskId = await start(client, 'wait')
  const record = { ...(await recordOf(server, taskId)), node: 'gone' }
  expect(await takeOver(server, record)).toMatchObject({ outcome: { status: 'working' } })
  expect(await statusOf(client, taskId)).toBe('working')
  await store.delete(`tasks/${taskId}`)
  expect(await takeOver(server, record)).toBe(record)
})

it('a task that goes on elsewhere is neither asked for nor ended here', async () => {
  const store = new MemoryStore()
  const { server, open } = createSample({ store })
  const client = await modern(server)
  const [waiting, asking] = [await start(client, 'wait'), await start(client, 'ask')]
  await expect.poll(() => statusOf(client, asking)).toBe('input_required')
  await store.put('task-nodes/other', true)
  for (const id of [waiting, asking]) await edit(store, id, { node: 'other' })
  open()
  await expect.poll(() => server.tasks().holds(waiting)).toBe(false)
  expect(await statusOf(client, waiting)).toBe('working')
  await client.request('tasks/update', {
    taskId: asking,
    inputResponses: { first: accept('Ann'), second: accept('Bob') },
  })
  await expect.poll(() => server.tasks().holds(asking)).toBe(false)
  expect((await recordOf(server, asking)).given).toMatchObject({ first: accept('Ann') })
})

it('a tool whose task is cancelled elsewhere while it asks is not run again', async () => {
  const store = new MemoryStore()
  let runs = 0
  const counted: typeof recall = { ...recall, run: (args, call) => (runs++, recall.run(args, call)) }
  const [here, there] = [1, 2].map(() => createSample({ store, tools: [counted] }).server) as [Server, Server] // Two.
  const taskId = await start(await modern(here), 'recall')
  await expect.poll(async () => (await recordOf(here, taskId)).outcome.status).toBe('input_required')
  await (await modern(there)).request('tasks/cancel', { taskId })
  await expect.poll(() => here.tasks().holds(taskId)).toBe(false)
  await new Promise(setImmediate)
  expect([runs, (await recordOf(here, taskId)).outcome.status]).toEqual([1, 'cancelled'])
})

it('a tool that has given its result tells nothing more of its task', async () => {
  let late: Call | undefined
  const tool = {
    name: 'late',
    task: 'optional' as const,
    run: async (_args: unknown, call: Call) => {
      late = call
      return 'done'
    },
  }
  const { server } = createSample({ tools: [tool] })
  const client = await legacy(server)
  const taskId = await start(client, 'late')
  await client.request('tasks/result', { taskId })
  late?.log('error', 'too late')
  late?.notify('notifications/message', { level: 'error', data: 'too late' })
  expect(client.notices.map(({ method }) => method)).toEqual(['notifications/tasks/status'])
  expect(server.usage.read('maxTasks')).toBe(0)
})

it('whoever waits for a task hears of its end without having to look again', async () => {
  const { server, open } = createSample()
  const { after } = server.platform
  server.platform.after = (milliseconds, run) => (milliseconds < 2000 ? after(milliseconds, run) : () => {})
  const client = await legacy(server)
  const taskId = await start(client, 'wait')
  const result = client.request('tasks/result', { taskId })
  await statusOf(client, taskId)
  open()
  expect(await result).toMatchObject({ content: [{ text: 'waited' }] })
})

it('whoever waits for a task is at work again when its question is answered', async () => {
  let [answer, end] = [() => {}, () => {}]
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const slow = {
    ...recall,
    run: async (_args: unknown, call: Call) => {
      const told = call.ask(WHO)
      if (told instanceof Needs) return told
      await ended
      return 'done'
    },
  }
  const links: Link[] = []
  const look: Middleware = (call, next) => {
    links.push(call.link)
    return next(call)
  }
  const { server } = createSample({ tools: [slow], middleware: [look as never] }) // Written for calls of the kernel.
  const elicitation = async () => {
    await asked
    return accept('Ann')
  }
  const client = await legacy(server, { answers: { 'elicitation/create': elicitation } })
  const taskId = await start(client, 'recall')
  const result = client.request('tasks/result', { taskId })
  await expect.poll(() => links.at(-1)?.calls.size).toBe(1)
  await expect.poll(() => links.at(-1)?.busy).toBe(0)
  answer()
  await expect.poll(() => links.at(-1)?.busy).toBe(1)
  end()
  expect(await result).toMatchObject({ content: [{ text: 'done' }] })
})
