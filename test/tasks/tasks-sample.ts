import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient, type TestClient, type TestClientOptions } from '../../src/client/test-client.ts'
import {
  defineTool,
  type Elicited,
  elicit,
  Fault,
  Needs,
  needs,
  type ServerDefinition,
} from '../../src/index.ts'
import type { JsonObject, Server } from '../../src/kernel/index.ts'

export const TASKS = 'io.modelcontextprotocol/tasks'
export const RELATED = 'io.modelcontextprotocol/related-task'

const askName = (message = 'Your name?') =>
  elicit({
    message,
    schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  })

const nameIn = (answer: Elicited<{ readonly name: string }>) =>
  answer.action === 'accept' ? answer.content.name : undefined

/** A server whose long calls go on until the test lets them. */
export interface Sample {
  readonly server: Server
  /** Lets the tool `wait` end. */
  open(): void
  /** How many calls of `wait` have begun, how many were told to stop, and what was observed to fail. */
  readonly seen: { begun: number; stopped: number; failures: unknown[] }
}

export function createSample(more: Partial<ServerDefinition> = {}): Sample {
  const seen: Sample['seen'] = { begun: 0, stopped: 0, failures: [] }
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const wait = defineTool({
    name: 'wait',
    description: 'Waits until it is let go, or told to stop',
    input: { type: 'object', properties: { text: { type: 'string' } } },
    task: 'optional',
    run: async ({ text = 'waited' }, call) => {
      seen.begun++
      const stopped = new Promise<void>((resolve) => {
        call.signal.addEventListener('abort', () => {
          seen.stopped++
          resolve()
        })
      })
      await Promise.race([opened, stopped])
      return text
    },
  })
  const server = defineServer({
    name: 'long',
    version: '1.0.0',
    tools: [wait, ...TOOLS],
    observe: (event) => {
      if (event.kind === 'crashed') seen.failures.push(event.error)
    },
    ...more,
  })
  return { server, open: () => open(), seen }
}

const TOOLS = [
  defineTool({ name: 'plain', description: 'Knows no tasks', run: () => 'plain' }),
  defineTool({
    name: 'fail',
    description: 'Fails',
    task: 'required',
    input: { type: 'object', properties: { how: { enum: ['throw', 'fault', 'result', 'bigint'] } } } as const,
    run: ({ how }) => {
      if (how === 'fault') throw new Fault('invalidParams', 'Not like this', { why: 'because' })
      if (how === 'result') return { content: [{ type: 'text', text: 'It went wrong' }], isError: true }
      if (how === 'bigint') return { content: [{ type: 'text', text: 'x', _meta: { amount: 1n } }] }
      throw new Error('It was thrown')
    },
  }),
  defineTool({
    name: 'ask',
    description: 'Asks two things',
    task: 'required',
    run: (_args, call) => {
      const asked = call.ask({ first: askName('First?'), second: askName('Second?') }, { state: 'kept' })
      if (asked instanceof Needs) return asked
      return `${nameIn(asked.first)} and ${nameIn(asked.second)}`
    },
  }),
  defineTool({
    name: 'insist',
    description: 'Asks until it is told',
    task: 'required',
    run: (_args, call) => {
      const asked = call.ask({ name: askName() })
      if (asked instanceof Needs) return asked
      return asked.name.action === 'accept' ? `Hello, ${asked.name.content.name}` : needs({ name: askName() })
    },
  }),
  defineTool({
    name: 'first',
    description: 'Asks before it becomes a task',
    task: 'required',
    run: async (_args, call) => {
      const asked = call.ask({ name: askName() }, { before: 'task' })
      if (asked instanceof Needs) return asked
      return asked.name.action === 'accept' ? `Hello, ${asked.name.content.name}` : 'Refused'
    },
  }),
  defineTool({
    name: 'chatty',
    description: 'Tells of its progress',
    task: 'optional',
    run: async (_args, call) => {
      await new Promise(setImmediate)
      call.progress(1, 2)
      call.log('error', 'halfway')
      return 'told'
    },
  }),
  defineTool({
    name: 'fleeting',
    description: 'Is gone before it is done',
    task: 'required',
    run: async (_args, { server }) => {
      server.tools.remove('fleeting')
      await new Promise(setImmediate)
      return 'still done'
    },
  }),
]

/** A client that knows the extension. */
export function modern(server: Server, options: TestClientOptions = {}): Promise<TestClient> {
  const capabilities = { elicitation: {}, extensions: { [TASKS]: {} }, ...options.capabilities }
  return createTestClient(server, { ...options, capabilities })
}

/** A client of the revision that has tasks in its core. */
export function legacy(server: Server, options: TestClientOptions = {}): Promise<TestClient> {
  const capabilities = { elicitation: {}, ...options.capabilities }
  return createTestClient(server, { revision: '2025-11-25', ...options, capabilities })
}

export async function start(client: TestClient, name: string, more: JsonObject = {}): Promise<string> {
  const legacy = client.revision.tasks === 'core' && { task: {} }
  const { taskId, task } = await client.request('tools/call', { name, ...legacy, ...more })
  return String(taskId ?? (task as JsonObject)['taskId'])
}

export function get(client: TestClient, taskId: string): Promise<JsonObject> {
  return client.request('tasks/get', { taskId })
}

export async function statusOf(client: TestClient, taskId: string): Promise<unknown> {
  return (await get(client, taskId))['status']
}

export const accept = (name: string) => ({ action: 'accept', content: { name } })
