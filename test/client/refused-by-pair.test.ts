import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { DONE, events, FakeServer, type Heard, OPENED, result } from './hostile.ts'

interface Pair {
  readonly server: FakeServer
  /** The streams that have been opened, the newest last. */
  readonly streams: ServerResponse[]
}

/** A server of 2024-11-05; `post` answers a call by giving something else than false. */
async function pairOf(post: (pair: Pair, heard: Heard, response: ServerResponse) => unknown): Promise<Pair> {
  const streams: ServerResponse[] = []
  const server = await FakeServer.open((heard, response) => {
    if (heard.method === 'GET') {
      streams.push(events(response))
      return response.write(`event: endpoint\ndata: /messages?${streams.length}\n\n`)
    }
    if (response.req.url === '/mcp') return response.writeHead(405).end()
    if (heard.message.method === 'tools/call' && post(pair, heard, response) !== false) return undefined
    response.writeHead(202).end()
    const answers = { initialize: { ...OPENED, protocolVersion: '2024-11-05' }, 'tools/call': DONE }
    const value = answers[heard.message.method as keyof typeof answers]
    if (value !== undefined) say(streams, heard.message.id, value)
    return undefined
  })
  const pair = { server, streams }
  return pair
}

function say(streams: readonly ServerResponse[], id: unknown, value: object): void {
  streams.at(-1)?.write(`data: ${JSON.stringify(result(id, value as never))}\n\n`)
}

const gone = (response: ServerResponse) => response.writeHead(404).end('Session not found')

it.each([
  ['before its stream is known to have ended', true],
  ['though its stream is still there', false],
])('a call that is refused since its session is gone is made in the next one, once, %s', async (_, ends) => {
  const pair = await pairOf((own, _heard, response) => {
    if (own.streams.length > 1) return false
    gone(response)
    if (ends) setTimeout(() => own.streams[0]?.destroy(), 20)
    return undefined
  })
  const { streams } = pair
  await using server = pair.server
  await using client = await connect(server.url)
  expect(await client.callTool('pay')).toEqual(DONE)
  expect([streams.length, server.count('tools/call'), server.count('initialize')]).toEqual([2, 2, 3])
})

it('a call that is refused in the next session as well is told so, and the client goes on', async () => {
  let isKnown = false
  const pair = await pairOf((_pair, _heard, response) => (isKnown ? false : gone(response)))
  const { streams } = pair
  await using server = pair.server
  await using client = await connect(server.url)
  await expect(client.callTool('pay')).rejects.toMatchObject({ details: { status: 404 } })
  expect([streams.length, server.count('tools/call')]).toEqual([2, 2])
  isKnown = true
  expect(await client.callTool('pay')).toEqual(DONE)
})

it('a stream on which another call waits is not ended because one is refused', async () => {
  let wait: (id: unknown) => void = () => {}
  const waiting = new Promise((resolve) => {
    wait = resolve
  })
  const pair = await pairOf((_pair, { message }, response) => {
    if ((message['params'] as { name: string }).name === 'lost') return gone(response)
    response.writeHead(202).end(() => wait(message.id))
    return undefined
  })
  const { streams } = pair
  await using server = pair.server
  await using client = await connect(server.url)
  const slow = client.callTool('slow')
  const id = await waiting
  await expect(client.callTool('lost')).rejects.toMatchObject({ details: { status: 404 } })
  say(streams, id, DONE)
  expect(await slow).toEqual(DONE)
  expect([streams.length, server.count('tools/call')]).toEqual([1, 2])
})
