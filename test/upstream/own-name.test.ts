import { expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { createNodeHandler } from '../../src/index.ts'
import { DONE, FakeServer, handshakes, json, result } from '../client/hostile.ts'
import { endAfterEach, ending, gatewayTo, listen, lookedAt, textOf } from './gateway-of.ts'

endAfterEach()

const OWN = 'Bearer of-the-gateway'
const TOOLS = { tools: [{ name: 'go', inputSchema: { type: 'object' } }] }

/** A gateway that passes on who calls, before a server that keeps sessions and has in whoever is in `known`. */
async function forwarding() {
  const known = new Set([OWN, 'Bearer of-alice', 'Bearer of-carol'])
  const server = await FakeServer.open((heard, response) => {
    if (!known.has(heard.headers.authorization ?? '')) return response.writeHead(401).end('not you')
    if (handshakes(heard, response)) return
    json(response, result(heard.message.id, { ...TOOLS, resources: [], resourceTemplates: [], ...DONE }))
  })
  ending.push(() => server[Symbol.asyncDispose]())
  const headers = { authorization: OWN }
  const gateway = gatewayTo({ behind: { url: server.url, headers, forwardHeaders: ['authorization'] } })
  await gateway.start()
  await lookedAt(gateway)
  const front = await listen(createNodeHandler(gateway, { allowAnonymous: true }))
  const as = async (authorization?: string) => {
    const client = await connect(front, {
      revision: '2025-11-25',
      ...(authorization !== undefined && { headers: { authorization } }),
    })
    ending.push(() => client.close())
    return async () => textOf(await client.callTool('go'))
  }
  const state = () => [...gateway.relaying.upstreams].map(({ state }) => state.state)
  const looks = () => server.heard.filter(({ headers }) => headers.authorization === OWN).length
  return { gateway, known, as, state, looks }
}

it('who is refused in a name of their own is no reason to look at the server', async () => {
  const { gateway, known, as, state, looks } = await forwarding()
  const alice = await as('Bearer of-alice')
  expect(await alice()).toBe('done')
  known.delete(OWN) // Nobody has noticed yet.
  const looked = looks()
  const bob = await as('Bearer of-bob')
  expect(await bob()).toContain('401')
  await lookedAt(gateway)
  expect(looks()).toBe(looked)
  expect(state()).toEqual(['ready'])
  expect(await alice()).toBe('done')
})

it('where the gateway itself is refused, those are served who come in a name of their own', async () => {
  const { gateway, known, as, state } = await forwarding()
  const alice = await as('Bearer of-alice')
  expect(await alice()).toBe('done')
  known.delete(OWN)
  const dave = await as()
  expect(await dave()).toContain('401')
  await lookedAt(gateway)
  expect(state()).toEqual(['signed-out'])
  expect(await alice()).toBe('done')
  const carol = await as('Bearer of-carol')
  expect(await carol()).toBe('done')
  expect(await dave()).toMatch(/^behind cannot be used \(.*401: not you\), next try in \d+ s$/)
})
