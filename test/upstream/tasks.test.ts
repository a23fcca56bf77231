import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import {
  createNodeHandler,
  defineTool,
  elicit,
  MemoryStore,
  Needs,
  type TestClient,
} from '../../src/index.ts'
import type { JsonObject, Server } from '../../src/kernel/index.ts'
import { clientOf, endAfterEach, ending, gatewayTo, listen, textOf } from './gateway-of.ts'

endAfterEach()

const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const

/** What has been cancelled upstream. */
const cancelled: string[] = []

function working(): Server {
  const server = defineServer({
    name: 'working',
    version: '1',
    tools: [
      defineTool({
        name: 'greet',
        task: 'optional',
        run: async (_none, call) => {
          await setTimeout(20)
          const asked = call.ask({ name: elicit({ message: 'Who?', schema: NAME }) })
          if (asked instanceof Needs) return asked
          return asked.name.action === 'accept' ? `Hello, ${asked.name.content.name}` : asked.name.action
        },
      }),
      defineTool({
        name: 'wait',
        task: 'required',
        run: (_none, { signal }) =>
          new Promise<string>((resolve) => {
            signal.addEventListener('abort', () => resolve(String(cancelled.push('wait'))))
          }),
      }),
      defineTool({
        name: 'break',
        task: 'optional',
        run: async () => {
          await setTimeout(20)
          throw new Error('It broke')
        },
      }),
      defineTool({ name: 'plain', run: () => 'plain' }),
    ],
  })
  ending.push(() => server.close())
  return server
}

const answers = { 'elicitation/create': () => ({ action: 'accept', content: { name: 'Ann' } }) }

const [CORE, EXTENSION] = ['2025-11-25', '2026-07-28']

describe.each([CORE, EXTENSION])('tasks of an upstream that speaks %s', (spoken) => {
  const behind = async (way: string) => {
    const server = working()
    if (way === 'memory') return gatewayTo({ working: { server, revision: spoken } })
    const url = await listen(createNodeHandler(server, { allowAnonymous: true }))
    return gatewayTo({ working: { url, revision: spoken } })
  }

  describe.each(['memory', 'http'])('over %s', (way) => {
    describe.each([CORE, EXTENSION])('for a client that speaks %s', (revision) => {
      const open = async (): Promise<TestClient> => clientOf(await behind(way), { revision, answers })

      it('are tasks, whose questions, results and failures are the client’s to see', async () => {
        const client = await open()
        const greeting = await client.tasks.start('greet')
        expect(greeting.taskId).toEqual(expect.any(String))
        expect(textOf(await greeting.result())).toBe('Hello, Ann')
        const breaking = await client.tasks.start('break')
        const broken = await breaking.result()
        expect([broken.isError, textOf(broken)]).toEqual([true, 'It broke'])
      })

      it('are cancelled upstream when they are cancelled here', async () => {
        const client = await open()
        cancelled.length = 0
        const waiting = await client.tasks.start('wait')
        expect((await client.tasks.get(waiting.taskId ?? '')).status).toBe('working')
        await waiting.cancel()
        await vi.waitFor(() => expect(cancelled).toEqual(['wait']))
        expect((await client.tasks.get(waiting.taskId ?? '')).status).toBe('cancelled')
      })
    })

    it.each(['2024-11-05', '2025-06-18'])(
      'are waited for by a client of %s, which knows none',
      async (revision) => {
        const client = await clientOf(await behind(way), { revision, answers })
        expect(textOf(await client.callTool('plain'))).toBe('plain')
        expect((await client.callTool('break')).isError).toBe(true)
      },
    )
  })

  it('are not made of what the upstream answers at once, unless the client can read nothing else', async () => {
    const gateway = await behind('memory')
    const [old, young] = [
      await clientOf(gateway, { revision: CORE }),
      await clientOf(gateway, { revision: EXTENSION }),
    ]
    expect((await young.tasks.start('plain')).taskId).toBeUndefined()
    if (spoken === CORE) await expect(old.tasks.start('plain')).rejects.toThrow('cannot run as a task')
    else expect(textOf(await (await old.tasks.start('plain')).result())).toBe('plain')
  })

  it('go on where a gateway was that has ended, in one that shares its store', async () => {
    const [store, server] = [new MemoryStore(), working()]
    const url = await listen(createNodeHandler(server, { allowAnonymous: true }))
    const shared = { store, secrets: ['shared by both of them, 32 letters'] }
    const first = gatewayTo({ working: { url, revision: spoken, shared: true } }, shared)
    const began = await (await clientOf(first, { revision: EXTENSION, answers })).request(
      'tools/call',
      { name: 'greet', arguments: {} },
      { meta: DECLARED },
    )
    await first.close()
    const second = gatewayTo({ working: { url, revision: spoken, shared: true } }, shared)
    const client = await clientOf(second, { revision: EXTENSION, answers })
    expect(textOf(await client.tasks.result(String(began['taskId'])))).toBe('Hello, Ann')
  })
})

const DECLARED: JsonObject = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
}

it('of a tool that is listed as running as a task only are waited for, for a client that knows none', async () => {
  const args = [join(import.meta.dirname, 'task-only.mjs')]
  const gateway = gatewayTo({ behind: { command: process.execPath, args } })
  const client = await clientOf(gateway, { revision: '2025-06-18' })
  expect(textOf(await client.callTool('study'))).toBe('studied')
})
