import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { defineTool } from '../../src/authoring/define.ts'
import { defineServer } from '../../src/authoring/define-server.ts'
import { serveHttp } from '../../src/index.ts'

const LONG = 'é"😀\n'.repeat(100_000)

/** Has tools that take a moment of the processor, and that say much. */
const busy = defineServer({
  name: 'busy',
  version: '1',
  tools: [
    defineTool({
      name: 'spin',
      run: () => {
        const until = performance.now() + 5
        while (performance.now() < until) {}
        return 'done'
      },
    }),
    defineTool({ name: 'say', run: () => LONG }),
  ],
})

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
}

const calling = (name: string) => ({
  headers: { ...HEADERS, 'mcp-name': name },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
})

const saidIn = (body: string) => JSON.parse(body).result.content[0].text

it('a server that is closed answers every request that has come, also those that wait for their turn', async () => {
  const { url, close } = await serveHttp(busy, { port: 0 })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const post = async (name: string) => {
    const { headers, body } = calling(name)
    const sent = request(url, { method: 'POST', agent, headers })
    sent.end(body)
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, body: await text(response) }
  }
  await Promise.all(Array.from({ length: 30 }, () => post('spin')))
  const answers = Array.from({ length: 30 }, () => post('spin'))
  await answers[0]
  expect(await close()).toBe(true)
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses).toEqual(statuses.map(() => 200))
})

it('a client that has said all is given all of a long answer', async () => {
  const { url, port, close } = await serveHttp(busy, { port: 0 })
  onTestFinished(() => void close())
  const { headers, body } = calling('say')
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const head = Object.entries({
    host: new URL(url).host,
    ...headers,
    'content-length': Buffer.byteLength(body),
  })
  socket.end(`POST /mcp HTTP/1.1\r\n${head.map((pair) => `${pair.join(': ')}\r\n`).join('')}\r\n${body}`)
  const answer = await text(socket)
  expect(answer.endsWith('\r\n0\r\n\r\n')).toBe(true)
  const chunks = answer.slice(answer.indexOf('\r\n\r\n') + 2).split(/\r\n[0-9a-f]+\r\n/)
  expect(saidIn(chunks.join('').replace(/\r\n$/, ''))).toBe(LONG)
})

it('a long answer arrives as it was said', async () => {
  const { url, close } = await serveHttp(busy, { port: 0 })
  onTestFinished(() => void close())
  const { headers, body } = calling('say')
  const response = await fetch(url, { method: 'POST', headers, body })
  expect(saidIn(await response.text())).toBe(LONG)
})
