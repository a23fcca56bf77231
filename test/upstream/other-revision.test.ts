import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { DONE, FakeServer, type Heard, json, OPENED, result, script } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo, lookedAt, noted, textOf } from './gateway-of.ts'

endAfterEach()

const NEW = '2026-07-28'
const TOOLS = { tools: [{ name: 'go', inputSchema: { type: 'object' } }] }

/** How what is not spoken is refused. */
const REFUSALS = {
  'by its code': (response: ServerResponse, id: unknown) => {
    const data = { supported: [NEW] }
    json(response, { jsonrpc: '2.0', id, error: { code: -32022, message: 'Unsupported', data } }, 400)
  },
  'by 404': (response: ServerResponse) => void response.writeHead(404).end(),
}

/** A server that has become another whenever `speaks` says so, and knows no session of the one before. */
async function replaced(speaks: string, refuse: keyof typeof REFUSALS = 'by its code') {
  const state = { speaks, done: [] as string[], revision: () => state.speaks }
  const server = await FakeServer.open((heard, response) => {
    if (heard.method !== 'POST') return response.writeHead(405).end()
    if (heard.message.id === undefined) return response.writeHead(202).end()
    if (state.speaks === NEW && heard.headers['mcp-protocol-version'] !== NEW)
      return REFUSALS[refuse](response, heard.message.id)
    answer(heard, response)
  })
  function answer({ message: { id, method }, headers }: Heard, response: ServerResponse): void {
    const reply = (value: object, more = {}) =>
      json(response, result(id, { resultType: 'complete', ...value }), 200, more)
    if (state.speaks === NEW && method === 'server/discover')
      return reply({ supportedVersions: [NEW], capabilities: { tools: {} } })
    if (method === 'initialize')
      return reply(
        { ...OPENED, protocolVersion: state.speaks, capabilities: { tools: {} } },
        { 'mcp-session-id': state.speaks },
      )
    if (state.speaks !== NEW && headers['mcp-session-id'] === undefined)
      return json(response, { jsonrpc: '2.0', id, error: { code: -32000, message: 'No session' } }, 400)
    if (state.speaks !== NEW && headers['mcp-session-id'] !== state.speaks)
      return void response.writeHead(404).end()
    if (method === 'tools/list') return reply(TOOLS)
    if (method !== 'tools/call')
      return json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'No' } })
    state.done.push(state.speaks)
    reply(DONE)
  }
  ending.push(() => server[Symbol.asyncDispose]())
  return Object.assign(state, { url: server.url })
}

describe('a server that comes back in another revision is found out anew, and its call is made once:', () => {
  it.each<[from: string, to: string, refuse: keyof typeof REFUSALS]>([
    ['2025-11-25', '2025-06-18', 'by its code'],
    ['2025-06-18', '2025-11-25', 'by its code'],
    ['2025-06-18', NEW, 'by its code'],
    ['2025-06-18', NEW, 'by 404'],
    [NEW, '2025-06-18', 'by its code'],
  ])('from %s to %s, refused %s', async (from, to, refuse) => {
    const server = await replaced(from, refuse)
    const gateway = gatewayTo({ behind: { url: server.url } })
    const client = await clientOf(gateway)
    expect(await client.callTool('go')).toMatchObject(DONE)
    server.speaks = to
    expect(await client.callTool('go')).toMatchObject(DONE)
    expect(server.done).toEqual([from, to])
    const newcomer = await clientOf(gateway, { revision: '2025-11-25' })
    expect(await newcomer.callTool('go')).toMatchObject(DONE)
    expect([...gateway.relaying.upstreams].map(({ state }) => state)).toMatchObject([
      { state: 'ready', revision: to },
    ])
  })

  it('also where it is its lists that cannot be read any more, and nobody is refused meanwhile', async () => {
    const state = { isNew: true }
    const server = await FakeServer.open(({ method: verb, message: { id, method } }, response) => {
      if (verb !== 'POST' || id === undefined) return response.writeHead(verb === 'POST' ? 202 : 405).end()
      const opened = { ...OPENED, supportedVersions: [NEW], capabilities: { tools: {} } }
      const isOpening = method === (state.isNew ? 'server/discover' : 'initialize')
      const known = isOpening ? opened : { 'tools/list': TOOLS, 'tools/call': DONE }[String(method)]
      if (known === undefined)
        json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'What?' } })
      else json(response, result(id, { resultType: 'complete', ...known }))
    })
    ending.push(() => server[Symbol.asyncDispose]())
    const gateway = gatewayTo({ behind: { url: server.url } })
    const client = await clientOf(gateway)
    state.isNew = false
    for (const { asked } of gateway.relaying.upstreams) {
      Object.assign(gateway.platform, { now: () => Date.now() + 61_000 })
      asked?.()
    }
    await vi.waitFor(() =>
      expect([...gateway.relaying.upstreams].map(({ state: { revision } }) => revision)).toEqual([
        '2025-11-25',
      ]),
    )
    await lookedAt(gateway)
    expect(await client.callTool('go')).toMatchObject(DONE)
    expect(noted).toEqual([])
  })

  it('unless its revision has been said, which is told', async () => {
    const server = await replaced('2025-06-18')
    const client = await clientOf(gatewayTo({ behind: { url: server.url, revision: '2025-06-18' } }))
    expect(await client.callTool('go')).toMatchObject(DONE)
    server.speaks = NEW
    expect(textOf(await client.callTool('go'))).toContain('Unsupported')
    expect(server.done).toEqual(['2025-06-18'])
  })
})

describe('a tool that fails in the words of a server that has been replaced is run once, and others are not held up:', () => {
  const PAID = 'Paid, and the session of the till stays open'

  it.each([
    [NEW, -32000, 400],
    [NEW, -32022, 400],
    [NEW, -32022, 200],
    ['2025-11-25', -32022, 200],
    ['2025-11-25', -32022, 400],
  ])('in %s by %d with %d', async (revision, code, status) => {
    let ran = 0
    const server = await FakeServer.open(({ method: verb, message: { id, method } }, response) => {
      if (verb !== 'POST' || id === undefined) return response.writeHead(verb === 'POST' ? 202 : 405).end()
      const reply = (value: object) => json(response, result(id, { resultType: 'complete', ...value }))
      const isOpening = method === (revision === NEW ? 'server/discover' : 'initialize')
      if (isOpening) return reply({ ...OPENED, supportedVersions: [NEW], capabilities: { tools: {} } })
      if (method === 'tools/list') return reply(TOOLS)
      const isCall = method === 'tools/call'
      if (isCall) ran++
      const error = isCall ? { code, message: PAID } : { code: -32601, message: 'No' }
      json(response, { jsonrpc: '2.0', id, error }, isCall ? status : 200)
    })
    ending.push(() => server[Symbol.asyncDispose]())
    const gateway = gatewayTo({ behind: { url: server.url } })
    const client = await clientOf(gateway)
    await expect(client.callTool('go')).rejects.toMatchObject({ code, message: PAID })
    expect(ran).toBe(1)
    expect([...gateway.relaying.upstreams].map(({ state }) => state)).toMatchObject([{ state: 'ready' }])
    expect(noted).toEqual([])
  })
})

/** Speaks what stands in a file when it starts, and says by which process. */
const program = (file: string) =>
  script(`
  const revision = require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8')
  const isNew = revision === '${NEW}'
  const say = (id, value) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...value }))
  const opened = { protocolVersion: revision, supportedVersions: [revision], capabilities: { tools: {} } }
  const text = revision + ' ' + process.pid
  const answers = {
    [isNew ? 'server/discover' : 'initialize']: opened,
    'tools/list': ${JSON.stringify(TOOLS)},
    'tools/call': { content: [{ type: 'text', text }] },
  }
  const error = { code: isNew ? -32022 : -32601, message: 'What?', data: { supported: [revision] } }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const result = answers[method]
    if (id !== undefined) say(id, result ? { result: { resultType: 'complete', ...result } } : { error })
  })`)

it.each([
  ['2025-11-25', '2025-06-18'],
  ['2025-06-18', '2025-11-25'],
  ['2025-06-18', NEW],
  [NEW, '2025-06-18'],
])(
  'a program that is replaced is found out anew as well: from %s to %s',
  { timeout: 60_000 },
  async (from, to) => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-revision-'))
    ending.push(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'revision')
    writeFileSync(file, from)
    const client = await clientOf(gatewayTo({ behind: program(file) }))
    const [spoken, pid] = textOf(await client.callTool('go')).split(' ')
    expect(spoken).toBe(from)
    writeFileSync(file, to)
    process.kill(Number(pid), 'SIGKILL')
    await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow(), { timeout: 20_000 })
    await vi.waitFor(async () => expect(textOf(await client.callTool('go'))).toMatch(to), { timeout: 20_000 })
  },
)
