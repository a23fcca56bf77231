import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/index.ts'
import { connectText } from '../../src/transports/memory/index.ts'
import { createEverything } from '../everything/everything.ts'
import { Host } from '../http/host.ts'
import { initialize, modern } from '../http/messages.ts'
import { LineProcess } from '../setup/process.ts'

interface Said {
  readonly id?: number
  readonly method: string
  readonly params?: JsonObject
}

interface Opening {
  readonly host: string
  readonly revision: string
  readonly says: readonly Said[]
}

interface Reply {
  readonly id?: number
  readonly method?: string
  readonly result?: JsonObject
}

/** What hosts say first. Each opens with the revision it was seen to open with; the rest is how such a host speaks. */
const OPENINGS: readonly Opening[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'openings.json'), 'utf8'),
)

const CCMCP = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'ccmcp.js')
const VERSION = 'io.modelcontextprotocol/protocolVersion'

describe.each(OPENINGS)('$host', (opening) => {
  it('is understood over stdio', async () => {
    const server = new LineProcess(CCMCP)
    try {
      for (const message of opening.says) server.write(`${JSON.stringify(message)}\n`)
      expect(await server.end()).toBe(0)
      expectUnderstood(opening, server.lines.takeAll())
    } finally {
      await server.kill()
    }
  })

  it('is understood in memory', async () => {
    const lines: string[] = []
    const end = connectText(createEverything(), (line) => lines.push(line))
    for (const message of opening.says) end.send(JSON.stringify(message))
    end.close()
    expectUnderstood(opening, lines)
  })

  it('is understood over HTTP', async () => {
    await using host = await Host.start()
    const lines: string[] = []
    let session: { readonly [name: string]: string } = {}
    for (const message of opening.says) {
      const { headers, text, status } = await host.send({
        headers: headersOf(message, session),
        body: message,
      })
      const id = headers['mcp-session-id']
      if (typeof id === 'string') session = { 'mcp-session-id': id }
      if (message.id === undefined) expect(status).toBe(202)
      else lines.push(text)
    }
    expectUnderstood(opening, lines)
  })
})

/** Every request has its result, and the last that speaks of a revision speaks of the one the host wants. */
function expectUnderstood({ says, revision }: Opening, lines: readonly string[]): void {
  const replies = lines.map((line) => JSON.parse(line) as Reply).filter(({ method }) => method === undefined)
  const requests = says.filter(({ id }) => id !== undefined)
  expect(replies.map(({ id }) => id)).toEqual(requests.map(({ id }) => id))
  const agreed = requests.map(({ method, params }, index) => {
    const { result } = replies[index] ?? {}
    expect(result, method).toBeDefined()
    if (method === 'tools/list') expect(result?.['tools']).toContainEqual(expect.anything())
    if (method === 'initialize') return result?.['protocolVersion']
    const wanted = (params?.['_meta'] as JsonObject | undefined)?.[VERSION]
    if (method === 'server/discover')
      expect(result).toMatchObject({ supportedVersions: expect.arrayContaining([wanted]) })
    return wanted
  })
  expect(agreed.findLast((version) => version !== undefined)).toBe(revision)
}

function headersOf({ method, params }: Said, session: { readonly [name: string]: string }) {
  const version = (params?.['_meta'] as JsonObject | undefined)?.[VERSION]
  return version === undefined ? session : { 'mcp-protocol-version': String(version), 'mcp-method': method }
}

describe('mcp-remote', () => {
  it('names the method of its handshake in a header, which makes nothing modern of it', async () => {
    await using host = await Host.start()
    const opened = await host.send({
      headers: { 'mcp-method': 'initialize' },
      body: initialize('2025-11-25'),
    })
    expect(opened.status).toBe(200)
    expect(opened.message.result).toMatchObject({ protocolVersion: '2025-11-25' })
    expect(opened.headers['mcp-session-id']).toBeTypeOf('string')
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const method = { 'mcp-method': 'notifications/initialized' }
    expect((await host.send({ headers: { ...session, ...method }, body: initialized })).status).toBe(202)
  })
})

describe('Codex and mcp-remote, before they say anything', () => {
  it.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/mcp/.well-known/openid-configuration',
  ])('look for %s and are told that there is nothing', async (path) => {
    await using host = await Host.start()
    expect((await host.send({ method: 'GET', path })).status).toBe(404)
  })

  // The whole answer is waited for: a stream would keep the test, and the host, waiting.
  it.each([{}, { 'mcp-protocol-version': '2025-06-18' }, { 'last-event-id': '1' }])(
    'open a stream without a session, with %j, and are refused at once',
    async (headers) => {
      await using host = await Host.start()
      const answer = await host.send({ method: 'GET', headers: { accept: 'text/event-stream', ...headers } })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers['content-type']).not.toContain('event-stream')
    },
  )
})

describe('Copilot CLI', () => {
  it('is told that lists keep for a while, or it would list again and again', async () => {
    await using host = await Host.start()
    const { message } = await host.send(modern('tools/list'))
    expect(message.result?.['ttlMs']).toBeGreaterThan(0)
  })
})
