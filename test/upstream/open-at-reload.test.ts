import { describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createNodeHandler, defineTool, elicit, Needs, type TestClient } from '../../src/index.ts'
import type { JsonObject, Server } from '../../src/kernel/index.ts'
import { upstreams } from '../../src/modules/upstream/index.ts'
import type { UpstreamOptions } from '../../src/modules/upstream/options.ts'
import { clientOf, endAfterEach, ending, listen, observe, textOf } from './gateway-of.ts'

endAfterEach()

const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const

function later<Given>() {
  let resolve: (given: Given) => void = () => {}
  const promise = new Promise<Given>((given) => {
    resolve = given
  })
  return { promise, resolve }
}

/** A server with a task that ends when a test says so, and a tool that asks. */
async function working() {
  const { promise: finished, resolve: finish } = later<string>()
  const server = defineServer({
    name: 'working',
    version: '1',
    tools: [
      defineTool({ name: 'study', task: 'optional', run: () => finished }),
      defineTool({
        name: 'greet',
        run: (_none, call) => {
          const asked = call.ask({ name: elicit({ message: 'Who?', schema: NAME }) })
          if (asked instanceof Needs) return asked
          return asked.name.action === 'accept' ? `Hello, ${asked.name.content.name}` : asked.name.action
        },
      }),
    ],
  })
  const url = await listen(createNodeHandler(server, { allowAnonymous: true }))
  ending.push(() => server.close())
  return { url, finish }
}

/** A gateway to it, and what changes its entry. */
function changingTo(url: string, revision: string) {
  let entry: UpstreamOptions = { url, revision }
  let tell = () => {}
  const watch = (changed: () => void) => {
    tell = changed
    return () => {}
  }
  const modules = [upstreams('upstreams', { read: () => ({ working: entry }), watch })]
  const gateway = defineServer({ name: 'gateway', version: '1', modules, observe, reports: true })
  ending.push(() => gateway.close())
  const change = async (client: TestClient) => {
    entry = { ...entry, descriptions: { study: 'Studies' } }
    tell()
    await vi.waitFor(
      async () => expect((await client.tools()).map(({ description }) => description)).toContain('Studies'),
      { timeout: 20_000 },
    )
  }
  return { gateway, change }
}

/** Has what is to be done after a second or more done when the test says so. */
function heldBack(gateway: Server): () => void {
  const { after } = gateway.platform
  const waiting = new Set<() => void>()
  const held: typeof after = (milliseconds, run) => {
    if (milliseconds < 1000) return after(milliseconds, run)
    waiting.add(run)
    return () => void waiting.delete(run)
  }
  Object.assign(gateway.platform, { after: held })
  return () => {
    const due = [...waiting]
    waiting.clear()
    for (const run of due) run()
  }
}

const ASKED = { revision: '2026-07-28', capabilities: { elicitation: {} } }

describe.each(['2025-11-25', '2026-07-28'])('when the entry of a server of %s changes', (spoken) => {
  it('a task that runs there is followed to its end', async () => {
    const { url, finish } = await working()
    const { gateway, change } = changingTo(url, spoken)
    const client = await clientOf(gateway, ASKED)
    const studying = await client.tasks.start('study')
    await change(client)
    finish('studied')
    expect(textOf(await studying.result())).toBe('studied')
  })

  it('a question of it is answered where it was asked', async () => {
    const { url } = await working()
    const { gateway, change } = changingTo(url, spoken)
    const asked = later<void>()
    const answer = later<JsonObject>()
    const client = await clientOf(gateway, {
      ...ASKED,
      answers: {
        'elicitation/create': () => {
          asked.resolve()
          return answer.promise
        },
      },
    })
    const greeted = client.callTool('greet')
    await asked.promise
    await change(client)
    answer.resolve({ action: 'accept', content: { name: 'Ann' } })
    expect(textOf(await greeted)).toBe('Hello, Ann')
  })
})

it('a task that takes longer than calls may is followed on by the entry that has come', async () => {
  const { url, finish } = await working()
  const { gateway, change } = changingTo(url, '2026-07-28')
  const client = await clientOf(gateway, ASKED)
  const studying = await client.tasks.start('study')
  const result = studying.result()
  const pass = heldBack(gateway)
  await change(client)
  pass()
  finish('studied')
  let text = ''
  result.then(
    (given) => {
      text = textOf(given)
    },
    (error: Error) => {
      text = error.message
    },
  )
  await vi.waitFor(
    () => {
      pass()
      expect(text).toBe('studied')
    },
    { timeout: 20_000 },
  )
})
