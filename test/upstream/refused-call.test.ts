import { expect, it } from 'vitest'
import type { UpstreamOptions } from '../../src/modules/upstream/options.ts'
import { DONE, FakeServer, type Heard, json, result } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo, noted, textOf } from './gateway-of.ts'
import { signInBeforeEach, tokens } from './signing-in.ts'

endAfterEach()
signInBeforeEach()

const TOOLS = ['go', 'admin'].map((name) => ({ name, inputSchema: { type: 'object' } }))
const ANSWERS: { readonly [method: string]: object } = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  'tools/list': { tools: TOOLS },
  'tools/call': DONE,
}

/** A server without sessions that answers 401 to whatever `isRefused` names. */
async function choosy(isRefused: (heard: Heard) => boolean) {
  const state = { isRefused }
  const server = await FakeServer.open((heard, response) => {
    const { id, method = '' } = heard.message
    if (state.isRefused(heard)) return response.writeHead(401).end('not you')
    json(response, result(id, { resultType: 'complete', ...ANSWERS[method] }))
  })
  ending.push(() => server[Symbol.asyncDispose]())
  const files = { loginFrom: ' --from /etc/own.json' }
  const behind: UpstreamOptions = { url: server.url, tokens: tokens(), ...files }
  const gateway = gatewayTo({ behind })
  const stateNow = () => [...gateway.relaying.upstreams].map((one) => one.state)[0]
  return { state, gateway, stateNow }
}

const isAdmin = ({ message }: Heard) =>
  message.method === 'tools/call' && (message.params as { name: string }).name === 'admin'

it('a call that is refused by a server without sessions is that call’s failure, and nobody else’s', async () => {
  const { gateway, stateNow } = await choosy(isAdmin)
  const client = await clientOf(gateway)
  expect(textOf(await client.callTool('admin'))).toBe(
    'behind: The server refused: 401: not you. To sign in: perigee gateway login behind',
  )
  expect(await client.callTool('go')).toMatchObject(DONE)
  expect(stateNow()).toMatchObject({
    state: 'ready',
    lastError: { text: expect.stringContaining('login behind --from /etc/own.json') },
  })
})

it('one that nobody is let in to any more is signed out for all, who are not told of files', async () => {
  const { state, gateway, stateNow } = await choosy(() => false)
  const client = await clientOf(gateway)
  state.isRefused = () => true
  const told = 'behind wants you to sign in: perigee gateway login behind'
  expect(textOf(await client.callTool('go'))).toBe(told)
  expect(textOf(await client.callTool('go'))).toBe(told)
  expect(noted.join()).toContain(`${told} --from /etc/own.json`)
  expect(stateNow()).toMatchObject({
    state: 'signed-out',
    lastError: { text: expect.stringContaining('--from /etc/own.json') },
  })
})
