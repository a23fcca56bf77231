import type { ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { createNodeHandler, createTestClient } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { DONE, FakeServer, type Heard, handshakes, json, result, script } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo, listen, lookedAt, textOf } from './gateway-of.ts'

endAfterEach()

type Refuse = (response: ServerResponse) => unknown

const TOOLS = { tools: [{ name: 'go', inputSchema: { type: 'object' } }] }
const NONE = { resources: [], resourceTemplates: [] }

/** Only he can be asked, and nothing beside that. */
const BOB = {
  principal: { id: 'bob', scopes: [] },
  answers: { 'elicitation/create': () => ({ action: 'decline' }) },
}
const ALICE = { principal: { id: 'alice', scopes: [] } }

const isBobs = ({ message }: Heard) =>
  message.method === 'initialize' &&
  Object.keys((message.params as { capabilities: object }).capabilities).join() === 'elicitation'

/** A server that keeps sessions, and treats as `refuse` says whoever `isRefused` names. */
async function choosy(refuse: Refuse, isRefused = isBobs) {
  const state = { isRefused }
  const server = await FakeServer.open((heard, response) => {
    if (state.isRefused(heard)) return refuse(response)
    if (handshakes(heard, response)) return
    json(response, result(heard.message.id, { ...TOOLS, ...NONE, ...DONE }))
  })
  ending.push(() => server[Symbol.asyncDispose]())
  return Object.assign(server, { state })
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

const stateOf = (gateway: Server) => [...gateway.relaying.upstreams].map(({ state }) => state.state)

describe('a client whose own connection cannot be made is told so, and nobody else is:', () => {
  it.each<[what: string, refuse: Refuse, why: RegExp]>([
    ['401', (response) => response.writeHead(401).end('no bob'), /^behind cannot be used \(.*401/],
    ['403', (response) => response.writeHead(403).end('no bob'), /^behind cannot be used \(.*403: no bob\)/],
    ['500', (response) => response.writeHead(500).end('no bob'), /^behind cannot be used \(.*500: no bob\)/],
    [
      'a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      /text\/html/,
    ],
    ['nothing', (response) => json(response, {}), /^behind cannot be used \(/],
    [
      'a word of its own',
      (response) => json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no bob' } }),
      /no bob/,
    ],
  ])('%s', async (_what, refuse, why) => {
    const server = await choosy(refuse)
    const gateway = gatewayTo({ behind: { url: server.url } })
    const alice = await clientOf(gateway, ALICE)
    heldBack(gateway)
    expect(await alice.callTool('go')).toMatchObject(DONE)
    const bob = await createTestClient(gateway, BOB)
    const told = textOf(await bob.callTool('go'))
    expect(told).toMatch(why)
    expect(told).toMatch(/next try in 1 s$/)
    const tried = server.heard.filter(isBobs).length
    for (let times = 0; times < 3; times++) {
      expect(textOf(await bob.callTool('go'))).toBe(told)
      expect(await alice.callTool('go')).toMatchObject(DONE)
    }
    const again = await createTestClient(gateway, BOB)
    expect(textOf(await again.callTool('go'))).toBe(told)
    expect(server.heard.filter(isBobs)).toHaveLength(tried)
    await lookedAt(gateway)
    expect(stateOf(gateway)).toEqual(['ready'])
    expect(await (await createTestClient(gateway)).callTool('go')).toMatchObject(DONE)
  })

  it('a process that ends at once', async () => {
    const gateway = gatewayTo({
      behind: script(`
        const tools = ${JSON.stringify(TOOLS)}
        const done = ${JSON.stringify(DONE)}
        const info = { serverInfo: { name: 's', version: '1' }, capabilities: { tools: {} } }
        require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
          const { id, method, params } = JSON.parse(line)
          if (id === undefined) return
          if (method === 'initialize' && Object.keys(params.capabilities).join() === 'elicitation') process.exit(1)
          const result = { initialize: { protocolVersion: '2025-11-25', ...info }, 'tools/list': tools, 'tools/call': done }[method]
          const error = result ? undefined : { code: -32601, message: 'What?' }
          console.log(JSON.stringify({ jsonrpc: '2.0', id, result, error }))
        })`),
    })
    const alice = await clientOf(gateway, ALICE)
    expect(await alice.callTool('go')).toMatchObject(DONE)
    const bob = await createTestClient(gateway, BOB)
    expect(textOf(await bob.callTool('go'))).toMatch(/^behind cannot be reached \(The server ended/)
    expect(await alice.callTool('go')).toMatchObject(DONE)
    await lookedAt(gateway)
    expect(stateOf(gateway)).toEqual(['ready'])
  })
})

it('who calls itself as another does, and says more of itself, is another', async () => {
  const isLong = ({ message }: Heard) =>
    (message.params as { clientInfo?: { title?: string } } | undefined)?.clientInfo?.title !== undefined
  const server = await choosy((response) => response.writeHead(400).end('too long'), isLong)
  const gateway = gatewayTo({ behind: { url: server.url } })
  await gateway.start()
  await lookedAt(gateway)
  heldBack(gateway)
  const front = await listen(createNodeHandler(gateway, { allowAnonymous: true }))
  const goAs = async (more: object) => {
    const client = await connect(front, {
      revision: '2025-11-25',
      info: { name: 'same', version: '1', ...more },
    })
    ending.push(() => client.close())
    return textOf(await client.callTool('go'))
  }
  const long = { title: 'x'.repeat(3000) }
  expect(await goAs(long)).toContain('too long')
  expect(await goAs({})).toBe('done')
  const tried = server.heard.filter(isLong).length
  expect(await goAs(long)).toContain('too long')
  expect(server.heard.filter(isLong)).toHaveLength(tried)
})

it('who could not be connected is tried again after a while', async () => {
  const server = await choosy((response) => response.writeHead(500).end('no bob'))
  const gateway = gatewayTo({ behind: { url: server.url } })
  const bob = await clientOf(gateway, BOB)
  const pass = heldBack(gateway)
  expect(textOf(await bob.callTool('go'))).toContain('no bob')
  pass()
  expect(textOf(await bob.callTool('go'))).toMatch(/no bob\), next try in 2 s$/)
  server.state.isRefused = () => false
  expect(textOf(await bob.callTool('go'))).toContain('no bob')
  pass()
  expect(await bob.callTool('go')).toMatchObject(DONE)
})

it('a call that is refused for what its caller is says nothing of others', async () => {
  const isTold = ({ message, headers }: Heard) =>
    message.method === 'tools/call' && headers['mcp-session-id'] !== undefined && isOut
  let isOut = false
  const server = await choosy((response) => response.writeHead(401).end(), isTold)
  const gateway = gatewayTo({ behind: { url: server.url } })
  const bob = await clientOf(gateway, BOB)
  isOut = true
  expect(textOf(await bob.callTool('go'))).toContain('401')
  isOut = false
  expect(stateOf(gateway)).toEqual(['ready'])
  expect(await (await createTestClient(gateway, ALICE)).callTool('go')).toMatchObject(DONE)
})

it('a session that is open is used also where nobody else is let in any more', async () => {
  const isNew = ({ message }: Heard) => message.method !== 'tools/call'
  const server = await choosy(
    (response) => response.writeHead(401).end('nobody new'),
    () => false,
  )
  const gateway = gatewayTo({ behind: { url: server.url } })
  const alice = await clientOf(gateway, ALICE)
  expect(await alice.callTool('go')).toMatchObject(DONE)
  heldBack(gateway)
  server.state.isRefused = isNew
  const bob = await createTestClient(gateway, BOB)
  const said = /^behind cannot be used \(The server refused: 401: nobody new\), next try in 1 s$/
  expect(textOf(await bob.callTool('go'))).toMatch(said)
  await vi.waitFor(() => expect(stateOf(gateway)).toEqual(['signed-out']))
  expect(await alice.callTool('go')).toMatchObject(DONE)
  server.state.isRefused = () => true
  for (const client of [alice, bob]) expect(textOf(await client.callTool('go'))).toMatch(said)
})

it('a server that is away is away for all, who are told at once, and is tried again by itself', async () => {
  const server = await choosy(
    (response) => response.writeHead(503).end('away'),
    () => false,
  )
  const gateway = gatewayTo({ behind: { url: server.url } })
  const alice = await clientOf(gateway, ALICE)
  expect(await alice.callTool('go')).toMatchObject(DONE)
  const pass = heldBack(gateway)
  server.state.isRefused = () => true
  const bob = await createTestClient(gateway, BOB)
  const said = /^behind cannot be used \(The server refused: 503: away\), next try in \d+ s$/
  expect(textOf(await bob.callTool('go'))).toMatch(said)
  await vi.waitFor(() => expect(stateOf(gateway)).toEqual(['unreachable']))
  const heard = server.heard.length
  for (const client of [alice, bob]) expect(textOf(await client.callTool('go'))).toMatch(said)
  expect(server.heard).toHaveLength(heard)
  server.state.isRefused = () => false
  pass()
  await lookedAt(gateway)
  expect(stateOf(gateway)).toEqual(['ready'])
  for (const client of [alice, bob]) expect(await client.callTool('go')).toMatchObject(DONE)
})
