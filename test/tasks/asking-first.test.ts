import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient, type TestClient } from '../../src/client/test-client.ts'
import { type Call, defineTool, elicit, Needs, needs } from '../../src/index.ts'
import { talk } from '../setup/talk.ts'
import { accept, get, legacy, modern, start, statusOf } from './tasks-sample.ts'

const NAME = {
  name: elicit({
    message: 'Your name?',
    schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  }),
}

const WAITS = { nothing: async () => {}, 'an immediate': () => setImmediate(), '5 ms': () => sleep(5) }

/** A tool that greets by name, and asks for it in one of two ways. */
function create(wait: keyof typeof WAITS, where: 'ask' | 'run') {
  const noted: string[] = []
  const ask = async (_args: object, call: Call) => {
    await WAITS[wait]()
    return call.ask(NAME)
  }
  const greet = defineTool({
    name: 'greet',
    input: { type: 'object', properties: { greeting: { type: 'string' } }, required: ['greeting'] },
    task: 'optional',
    ask: where === 'run' ? undefined : ask,
    run: async ({ greeting }, call) => {
      if (where === 'run') await WAITS[wait]()
      const asked = call.ask(NAME, { before: 'task' })
      if (asked instanceof Needs) return asked
      return asked.name.action === 'accept' ? `${greeting}, ${asked.name.content.name}` : 'Refused'
    },
  })
  const server = defineServer({
    name: 's',
    version: '1',
    tools: [greet],
    observe: (event) => {
      if (event.kind === 'noted') noted.push(event.message)
    },
  })
  return { server, noted }
}

const args = { greeting: 'Hello' }
const HELLO = { content: [{ type: 'text', text: 'Hello, Ann' }] }

const answers = { 'elicitation/create': () => accept('Ann') }

/** What a task has come to. */
async function resultOf(client: TestClient, taskId: string) {
  await expect.poll(() => statusOf(client, taskId)).toMatch(/completed|failed/)
  const { result } = await get(client, taskId)
  return result ?? client.request('tasks/result', { taskId })
}

/** How often the client was asked by the time there was a task. */
async function askedBefore(server: ReturnType<typeof create>['server'], open: typeof legacy | typeof modern) {
  let asked = 0
  const answers = {
    'elicitation/create': () => {
      asked++
      return accept('Ann')
    },
  }
  const client = await open(server, { answers })
  const taskId = await start(client, 'greet', { arguments: args })
  return { asked, client, taskId }
}

describe.each([
  ['2025-11-25', legacy],
  ['2026-07-28', modern],
] as const)('in %s', (_revision, open) => {
  it.each(Object.keys(WAITS) as (keyof typeof WAITS)[])(
    'a tool asks in its ask() before there is a task, though it waits for %s',
    async (wait) => {
      const { asked, client, taskId } = await askedBefore(create(wait, 'ask').server, open)
      expect(asked).toBe(1)
      expect(await resultOf(client, taskId)).toMatchObject(HELLO)
    },
  )

  it('a function that waits for nothing may ask before there is a task', async () => {
    const { server, noted } = create('nothing', 'run')
    const { asked, client, taskId } = await askedBefore(server, open)
    expect(asked).toBe(1)
    expect(await resultOf(client, taskId)).toMatchObject(HELLO)
    expect(noted).toEqual([])
  })

  it.each(['an immediate', '5 ms'] as const)(
    'a function that has waited for %s asks as a task, and its author is told',
    async (wait) => {
      const { server, noted } = create(wait, 'run')
      const { asked, client, taskId } = await askedBefore(server, open)
      expect(asked).toBe(0)
      await expect.poll(() => statusOf(client, taskId)).toBe('input_required')
      expect(noted).toEqual([expect.stringContaining('The tool greet asks before')])
    },
  )

  it('what goes wrong in ask() is told by the task', async () => {
    const fails = defineTool({
      name: 'greet',
      task: 'optional',
      ask: () => Promise.reject(new Error('No questions')),
      run: () => 'never',
    })
    const server = defineServer({ name: 's', version: '1', tools: [fails] })
    const client = await open(server)
    const failed = { isError: true, content: [{ type: 'text', text: 'No questions' }] }
    expect(await resultOf(client, await start(client, 'greet'))).toMatchObject(failed)
  })
})

/** A tool that never stops asking before it becomes a task. */
const insisting = (asked: () => void) =>
  defineTool({
    name: 'greet',
    task: 'optional',
    ask: () => {
      asked()
      return needs(NAME)
    },
    run: () => 'never',
  })

it('a tool that never stops asking first fails as a task', async () => {
  let rounds = 0
  const server = defineServer({ name: 's', version: '1', tools: [insisting(() => rounds++)] })
  const client = await legacy(server, { answers })
  const failed = { isError: true, content: [{ text: 'Still asking after 20 rounds' }] }
  expect(await resultOf(client, await start(client, 'greet'))).toMatchObject(failed)
  expect(rounds).toBe(21)
})

it('a call that is cancelled while it asks first leaves no task', async () => {
  const server = defineServer({ name: 's', version: '1', tools: [insisting(() => {})] })
  const to = talk(server, '2025-11-25', { elicitation: {} })
  to.send({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: 'greet', task: {} } })
  await expect.poll(() => to.heard.some(({ method }) => method === 'elicitation/create')).toBe(true)
  to.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'call' } })
  await expect.poll(() => server.usage.read('maxTasks')).toBe(0)
  expect((await to.ask('tasks/list'))['result']).toEqual({ tasks: [] })
})

describe('a tool that runs as no task', () => {
  it.each(['2025-06-18', '2026-07-28'])('asks first as well in %s', async (revision) => {
    const { server } = create('5 ms', 'ask')
    const client = await createTestClient(server, { revision, answers })
    expect(await client.callTool('greet', args)).toMatchObject(HELLO)
  })

  it('is not run before its questions are answered', async () => {
    const order: string[] = []
    const tool = defineTool({
      name: 'greet',
      ask: (_args, call) => {
        order.push('ask')
        return call.answers['name'] === undefined ? needs(NAME) : undefined
      },
      run: () => {
        order.push('run')
        return 'done'
      },
    })
    const client = await createTestClient(defineServer({ name: 's', version: '1', tools: [tool] }), {
      revision: '2025-11-25',
      answers,
    })
    await client.callTool('greet')
    expect(order).toEqual(['ask', 'ask', 'run'])
  })
})
