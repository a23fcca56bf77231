import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createFetchHandler } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { isObject, type JsonObject } from '../../src/kernel/index.ts'
import { connectMemory } from '../../src/transports/memory/index.ts'
import { Conversation } from '../../src/transports/stdio/conversation.ts'
import { introduction } from '../setup/talk.ts'
import { isJsonRpc } from './any.ts'
import { anyValue } from './any-value.ts'

type Make = () => unknown

/** How a function may come out. */
const WAYS: Record<string, (make: Make) => unknown> = {
  returned: (make) => make(),
  'returned later': async (make) => make(),
  thrown: (make) => {
    throw make()
  },
  'thrown later': async (make) => {
    throw make()
  },
}

const ASKING: Record<string, JsonObject> = {
  'tools/call': { name: 'it', arguments: {} },
  'resources/read': { uri: 'it://is' },
  'prompts/get': { name: 'it' },
}

/** A conversation by some transport: says a request, and gives everything that was said to it. */
type Transport = (server: Server, handshake: boolean) => Promise<(request: JsonObject) => Promise<unknown[]>>

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'p', version: '1' },
}
const OPENING = [
  { jsonrpc: '2.0', id: 'open', method: 'initialize', params: INITIALIZE },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]

const TRANSPORTS: Record<string, Transport> = {
  memory: async (server, handshake) => {
    const heard: unknown[] = []
    const end = connectMemory(server, (message) => heard.push(message))
    if (handshake) for (const message of OPENING) end.send(message)
    return async (request) => {
      heard.length = 0
      end.send(request)
      await answered(heard)
      return heard
    }
  },
  stdio: async (server, handshake) => {
    const heard: unknown[] = []
    const input = new PassThrough()
    const write = (text: string) => {
      for (const line of text.split('\n')) if (line !== '') heard.push(JSON.parse(line))
      return true
    }
    const output = { write, onceDrained: () => {}, waiting: 0 }
    const budgets = { ...server.budgets, maxCallsPerPipe: 1 }
    new Conversation({ server, input, output, budgets, ended: () => {} })
    if (handshake) for (const message of OPENING) input.write(`${JSON.stringify(message)}\n`)
    await setImmediate()
    return async (request) => {
      heard.length = 0
      input.write(`${JSON.stringify(request)}\n`)
      await answered(heard)
      return heard
    }
  },
  HTTP: async (server, handshake) => {
    const fetch = createFetchHandler(server, { maxCalls: 1 })
    const post = (message: JsonObject, headers: Record<string, string>) =>
      fetch(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: {
            host: 'localhost',
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
          body: JSON.stringify(message),
        }),
      )
    const opened = handshake ? await post(OPENING[0] as JsonObject, {}) : undefined
    const session = opened?.headers.get('mcp-session-id')
    return async (request) => {
      const { method, params = {} } = request as { method: string; params?: JsonObject }
      const named = params['uri'] ?? params['name']
      const headers: Record<string, string> = handshake
        ? { 'mcp-session-id': String(session) }
        : {
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': method,
            ...(named !== undefined && { 'mcp-name': String(named) }),
          }
      const response = await post(request, headers)
      const text = await response.text()
      const bodies = response.headers.get('content-type')?.startsWith('text/event-stream')
        ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data ?? '')
        : [text]
      return bodies.map((body) => JSON.parse(body))
    }
  },
}

async function answered(heard: readonly unknown[]): Promise<void> {
  for (let turn = 0; turn < 200 && !heard.some(isReply); turn++) await setImmediate()
  for (let turn = 0; turn < 3; turn++) await setImmediate()
}

function isReply(message: unknown): boolean {
  return isObject(message) && message['method'] === undefined
}

function createServer(way: string, make: Make): Server {
  const run = () => (WAYS[way] as (make: Make) => never)(make) // One of its own keys.
  return defineServer({
    name: 's',
    version: '1',
    tools: [{ name: 'it', run }],
    resources: [{ uri: 'it://is', name: 'it', read: run }],
    prompts: [{ name: 'it', render: run }],
  })
}

it.each(Object.keys(TRANSPORTS))(
  'answers exactly once over %s, whatever a function gives or throws, and then the next call',
  async (transport) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(ASKING)),
        fc.constantFrom(...Object.keys(WAYS)),
        fc.boolean(),
        anyValue,
        async (method, way, handshake, { make }) => {
          const say = await (TRANSPORTS[transport] as Transport)(createServer(way, make), handshake)
          const _meta = handshake ? {} : introduction()
          const request = { jsonrpc: '2.0', id: 'q', method, params: { ...ASKING[method], _meta } }
          const replies = (await say(request)).filter(isReply)
          expect(replies).toHaveLength(1)
          expect(replies.filter((reply) => !isJsonRpc(reply))).toEqual([])
          expect(replies[0]).toMatchObject({ id: 'q' })
          // The same id and the only place are free again.
          expect(
            (await say({ ...request, method: 'tools/list', params: { _meta } })).filter(isReply),
          ).toEqual([expect.objectContaining({ id: 'q', result: expect.anything() })])
        },
      ),
      { numRuns: 250 },
    )
  },
)
