import { expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient, Fault } from '../../src/index.ts'
import { print, type Reply } from '../../src/kernel/index.ts'
import { telemetry } from '../../src/middleware/telemetry/index.ts'
import { keep } from '../telemetry/telemetry-sample.ts'

const circle: { own?: unknown } = {}
circle.own = circle
const content = [{ type: 'text' as const, text: 'x' }]
const toJSON = () => {
  throw new Error('not today')
}

/** What authors can give that no JSON says. */
const GIVEN: { readonly [name: string]: () => unknown } = {
  bigint: () => ({ content, structuredContent: { n: 1n } }),
  meta: () => ({ content, _meta: { n: 1n } }),
  block: () => ({ content: [{ ...content[0], _meta: circle }] }),
  later: async () => ({ content, structuredContent: circle }),
  printing: () => ({ content, _meta: { toJSON } }),
  fault: () => {
    throw new Fault('invalidParams', 'bad', { a: 1n })
  },
}

function openServer() {
  const sink = keep()
  const server = defineServer({
    name: 's',
    version: '1',
    modules: [telemetry({ sinks: [sink] })],
    tools: Object.entries(GIVEN).map(([name, run]) => ({ name, run: run as () => string })), // The types would not let them.
    resources: [
      {
        uri: 'a://b',
        name: 'b',
        read: () => ({ contents: [{ uri: 'a://b', text: 'x', _meta: { n: 1n } }] }),
      },
    ],
    prompts: [
      {
        name: 'p',
        render: () => ({
          messages: [{ role: 'user', content: { type: 'text', text: 'x', _meta: { n: 1n } } }],
        }),
      },
    ],
  })
  const crashes = () => sink.records.filter(({ kind }) => kind === 'crashed')
  return { server, crashes }
}

const UNPRINTABLE = { code: -32603, message: 'The answer cannot be written as JSON' }

it.each(Object.keys(GIVEN))('an answer that is no JSON is a crash of its tool: %s', async (name) => {
  const { server, crashes } = openServer()
  const client = await createTestClient(server)
  await expect(client.callTool(name)).rejects.toMatchObject(UNPRINTABLE)
  expect(crashes()).toMatchObject([{ method: 'tools/call', tool: name }])
})

it('says what is no JSON of it, and where that was found', async () => {
  const { server, crashes } = openServer()
  const client = await createTestClient(server)
  await expect(client.callTool('printing')).rejects.toMatchObject(UNPRINTABLE)
  expect(crashes()).toMatchObject([
    {
      message: 'Error: The answer cannot be written as JSON: not today',
      stack: [expect.stringContaining('unprintable.test.ts'), ...Array(9).fill(expect.any(String))],
    },
  ])
})

it('is a crash of a resource and of a prompt as well', async () => {
  const { server, crashes } = openServer()
  const client = await createTestClient(server)
  await expect(client.read('a://b')).rejects.toMatchObject(UNPRINTABLE)
  await expect(client.prompt('p')).rejects.toMatchObject(UNPRINTABLE)
  expect(crashes()).toMatchObject([
    { method: 'resources/read', uri: 'a://b' },
    { method: 'prompts/get', prompt: 'p' },
  ])
})

it('is a crash of a task as well', async () => {
  const { server, crashes } = openServer()
  server.tools.add({ name: 'long', task: 'required', run: () => ({ content, _meta: { n: 1n } }) })
  const client = await createTestClient(server, { revision: '2025-11-25' })
  const { task } = (await client.request('tools/call', { name: 'long', task: {} })) as {
    task: { taskId: string }
  }
  await expect(client.request('tasks/result', { taskId: task.taskId })).rejects.toMatchObject(UNPRINTABLE)
  expect(crashes()).toMatchObject([{ method: 'tools/call', tool: 'long' }])
})

it('is told once where others look at what is said', async () => {
  const { server, crashes } = openServer()
  const heard: string[] = []
  const watcher = {
    received: () => (reply: unknown) => void heard.push(print(reply as Reply)),
    sent: () => {},
  }
  server.watchers.add(watcher)
  const client = await createTestClient(server)
  await expect(client.callTool('bigint')).rejects.toMatchObject(UNPRINTABLE)
  expect(heard.at(-1)).toContain(UNPRINTABLE.message)
  expect(crashes()).toHaveLength(1)
})
