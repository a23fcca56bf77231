import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readEvents, type StreamEvent } from '../http/host.ts'
import { call, INITIALIZED, initialize } from '../http/messages.ts'

let folder = ''
const nodes: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-dead-node-'))
})

afterEach(() => {
  for (const node of nodes.splice(0)) node.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function startNode(): Promise<{ readonly port: number; readonly process: ChildProcess }> {
  const script = join(import.meta.dirname, 'node.mjs')
  const process = spawn(globalThis.process.execPath, [script, `sqlite:${join(folder, 'shared.db')}`])
  nodes.push(process)
  const [line] = (await once(process.stdout, 'data')) as [Buffer]
  return { port: Number(line), process }
}

interface Sent {
  readonly headers?: object
  readonly body?: object
}

async function send(port: number, { headers = {}, body }: Sent): Promise<IncomingMessage> {
  const accept = 'application/json, text/event-stream'
  const sent = request({
    host: '127.0.0.1',
    port,
    path: '/mcp',
    agent: false,
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  })
  sent.on('error', () => {}) // Whoever waits for the response is told.
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

/** Begins a call, and waits until it has said so; gives the id of its last event. */
async function begin(port: number, headers: object, body: object): Promise<string> {
  const response = await send(port, { headers, body })
  return new Promise((resolve) => {
    void readEvents(response, ({ id, data }) => {
      if (id !== undefined && data?.includes('progress') === true) resolve(id)
    })
  })
}

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'a call whose node ended by %s gets one error from another, which says whether to call again',
  async (signal) => {
    const [dying, living] = [await startNode(), await startNode()]
    const opened = await send(dying.port, { body: initialize() })
    const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
    await send(dying.port, { headers, body: INITIALIZED })
    const lastIds = [
      await begin(dying.port, headers, call(1, 'again', {}, { progressToken: 1 })),
      await begin(dying.port, headers, call(2, 'once', {}, { progressToken: 2 })),
    ]
    await expect.poll(() => send(living.port, { headers, body: call(3, 'nothing') })).toBeDefined()
    dying.process.kill(signal)
    const replies = await Promise.all(
      lastIds.map(async (lastId) => {
        const events: StreamEvent[] = []
        const resumed = await send(living.port, { headers: { ...headers, 'last-event-id': lastId } })
        await readEvents(resumed, (event) => events.push(event))
        return events.flatMap(({ data }) => (data === undefined || data === '' ? [] : [JSON.parse(data)]))
      }),
    )
    expect(replies).toEqual([
      [{ jsonrpc: '2.0', id: 1, error: expect.objectContaining({ data: { retry: true } }) }],
      [{ jsonrpc: '2.0', id: 2, error: expect.objectContaining({ data: { retry: false } }) }],
    ])
  },
  60_000,
)
