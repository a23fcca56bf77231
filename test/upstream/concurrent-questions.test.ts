import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createNodeHandler, elicit, Needs, type TestClient } from '../../src/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import type { UpstreamOptions } from '../../src/modules/upstream/options.ts'
import { clientOf, endAfterEach, ending, gatewayTo, listen, observe, textOf } from './gateway-of.ts'

endAfterEach()

/** Asks when so many calls are open. */
const onStdio = (together: number): UpstreamOptions => ({
  command: process.execPath,
  args: [join(import.meta.dirname, 'asking.mjs'), String(together)],
})

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
} as const

/** The same over HTTP, where a question comes with the answer to its call. */
async function overHttp(together: number): Promise<UpstreamOptions> {
  let open = 0
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const server = defineServer({
    name: 'asking',
    version: '1',
    tools: [
      {
        name: 'ask',
        input: { type: 'object', properties: { who: { type: 'string' } } },
        run: async (args: { readonly who?: string }, call) => {
          if (++open === together) begin()
          await begun
          const asked = call.ask({ name: elicit({ message: String(args.who), schema: SCHEMA }) })
          if (asked instanceof Needs) return asked
          return asked.name.action === 'accept' ? asked.name.content.name : asked.name.action
        },
      },
    ],
  })
  const handler = createNodeHandler(server, { allowAnonymous: true })
  return { url: await listen((request, response) => handler(request, response)), revision: '2025-11-25' }
}

/** Answers each question by its own words, and tells what was asked. */
function answering(name: string) {
  const asked: string[] = []
  const answers = {
    'elicitation/create': ({ message }: { readonly message?: unknown }) => {
      asked.push(String(message))
      return { action: 'accept', content: { name: `${name} for ${message}` } }
    },
  }
  return { asked, answers }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `call ${index}`)

const askAll = (client: TestClient, whos: readonly string[]) =>
  Promise.all(whos.map(async (who) => textOf(await client.callTool('ask', { who }))))

describe.each(['2025-11-25', '2026-07-28'])('a client of %s that makes several calls', (revision) => {
  it.each([
    ['stdio', async () => onStdio(3)],
    ['HTTP', () => overHttp(3)],
  ])('at once is asked each question once: over %s', async (_, open) => {
    const client = answering('Ann')
    const gateway = gatewayTo({ behind: await open() })
    const caller = await clientOf(gateway, { revision, answers: client.answers })
    const whos = numbers(3)
    expect(await askAll(caller, whos)).toEqual(whos.map((who) => `Ann for ${who}`))
    expect(client.asked.sort()).toEqual([...whos].sort())
  })

  it('on a process that it shares with somebody else is not asked what may be theirs', async () => {
    const [ann, bob] = [answering('Ann'), answering('Bob')]
    const gateway = gatewayTo({ behind: { ...onStdio(2), shared: true } })
    const callers = await Promise.all([
      clientOf(gateway, { revision, answers: ann.answers, principal: { id: 'ann', scopes: [] } }),
      clientOf(gateway, { revision, answers: bob.answers, principal: { id: 'bob', scopes: [] } }),
    ])
    const said = await Promise.all(
      callers.map(async (caller, index) => textOf(await caller.callTool('ask', { who: `call ${index}` }))),
    )
    expect(said).toEqual([expect.stringContaining(UNCLEAR), expect.stringContaining(UNCLEAR)])
    expect([...ann.asked, ...bob.asked]).toEqual([])
    expect(callers.flatMap(({ notices }) => notices)).toEqual([])
  })

  it('on a process that it shares is neither asked nor told what a call of somebody else has caused that they gave up', async () => {
    const { asked, answers } = answering('Bob')
    const gateway = gatewayTo({ behind: { ...onStdio(3), shared: true } })
    const ann = await clientOf(gateway, { revision, principal: { id: 'ann', scopes: [] } })
    const bob = await clientOf(gateway, { revision, answers, principal: { id: 'bob', scopes: [] } })
    const stop = new AbortController()
    const options = { signal: stop.signal, onProgress: () => stop.abort() }
    await expect(ann.callTool('ask', { who: 'Ann' }, options)).rejects.toThrow()
    const said = await Promise.all([bob.callTool('wait'), bob.callTool('wait')])
    expect(said.map(textOf)).toEqual(['waited', 'waited'])
    expect([asked, bob.notices]).toEqual([[], []])
  })

  it('on a process that others share is asked while all calls are its own', async () => {
    const { asked, answers } = answering('Ann')
    const gateway = gatewayTo({ behind: { ...onStdio(3), shared: true } })
    const caller = await clientOf(gateway, { revision, answers, principal: { id: 'ann', scopes: [] } })
    await clientOf(gateway, { revision, principal: { id: 'bob', scopes: [] } })
    const whos = numbers(3)
    expect(await askAll(caller, whos)).toEqual(whos.map((who) => `Ann for ${who}`))
    expect(asked.sort()).toEqual(whos)
  })

  it('over HTTP to a server that all share is asked by its own calls', async () => {
    const [ann, bob] = [answering('Ann'), answering('Bob')]
    const gateway = gatewayTo({ behind: { ...(await overHttp(2)), shared: true } })
    const callers = await Promise.all([
      clientOf(gateway, { revision, answers: ann.answers, principal: { id: 'ann', scopes: [] } }),
      clientOf(gateway, { revision, answers: bob.answers, principal: { id: 'bob', scopes: [] } }),
    ])
    const said = await Promise.all(
      callers.map(async (caller, index) => textOf(await caller.callTool('ask', { who: `call ${index}` }))),
    )
    expect(said).toEqual(['Ann for call 0', 'Bob for call 1'])
    expect([ann.asked, bob.asked]).toEqual([['call 0'], ['call 1']])
  })
})

const UNCLEAR = 'which does not say whose call it belongs to'

describe('a client that is asked by results', () => {
  const behalf = {
    self: {
      info: { name: 'c', version: '1' },
      capabilities: { elicitation: { form: {} } },
      logLevel: undefined,
    },
    onNotification: () => {},
    onQuestion: async () => ({}),
  }

  it('is asked one question by each of several calls', async () => {
    const caller = await clientOf(gatewayTo({ behind: onStdio(3) }))
    const results = await Promise.all(
      numbers(3).map((who) => caller.exchange('tools/call', { name: 'ask', arguments: { who } }, behalf)),
    )
    const asked = results.map(({ inputRequests }) => Object.values(inputRequests ?? {}))
    expect(asked.map(({ length }) => length)).toEqual([1, 1, 1])
    expect(new Set(asked.map(([one]) => one.params.message))).toEqual(new Set(numbers(3)))
  })

  it('is asked again by another call what it was asked by one that it does not come back for', async () => {
    const { asked, answers } = answering('Ann')
    const modules = [upstream('behind', onStdio(2))]
    const budgets = { maxUpstreamQuestions: 1 }
    const gateway = defineServer({ name: 'gateway', version: '1', modules, observe, budgets })
    ending.push(() => gateway.close())
    const caller = await clientOf(gateway, { answers })
    const asking = caller.callTool('ask', { who: 'call 0' })
    const left = await caller.exchange('tools/call', { name: 'wait', arguments: {} }, behalf)
    expect(left).toMatchObject({ resultType: 'input_required' })
    const more = { name: 'ask', arguments: { who: 'call 1' } }
    await caller.exchange('tools/call', more, behalf) // There is room for one, so that the one before is given up.
    expect(textOf(await asking)).toBe('Ann for call 0')
    expect(asked.filter((one) => one === 'call 0')).toHaveLength(1)
  })
})
