import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { type Client, type ConnectOptions, connect } from '../../src/client/index.ts'
import { defineTool } from '../../src/index.ts'
import { child, events, FakeServer, handshakes, OPENED } from './hostile.ts'

const CALLS = 8
const LETTERS = 100_000
const revision = OPENED.protocolVersion

const answerTo = (id: unknown) =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${'x'.repeat(LETTERS)}"}]}}`

/** Answers as many calls as are made when the last of them has come. */
function together(calls = CALLS): (answer: () => void) => void {
  const waiting: (() => void)[] = []
  return (answer) => {
    if (waiting.push(answer) === calls) for (const one of waiting.splice(0)) one()
  }
}

async function overHttp(
  say: (response: ServerResponse, text: string) => unknown,
  options: ConnectOptions,
  calls = CALLS,
) {
  const all = together(calls)
  const server = await FakeServer.open((heard, response) => {
    if (!handshakes(heard, response)) all(() => say(response, answerTo(heard.message.id)))
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return connect(server.url, { revision, ...options })
}

const asJson = (response: ServerResponse, text: string) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)

const asEvent = (response: ServerResponse, text: string) => events(response).end(`data: ${text}\n\n`)

async function byPair() {
  const all = together()
  let stream: ServerResponse | undefined
  const server = await FakeServer.open(({ method, message }, response) => {
    if (method === 'GET') {
      stream = events(response)
      return stream.write('event: endpoint\ndata: /post\n\n')
    }
    if (response.req.url === '/mcp') return response.writeHead(405).end()
    response.writeHead(202).end()
    const say = (text: string) => stream?.write(`event: message\ndata: ${text}\n\n`)
    if (message.method === 'initialize')
      return say(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: OPENED }))
    return message.id === undefined || all(() => say(answerTo(message.id)))
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return connect(server.url, { revision })
}

const onStdio = () =>
  connect(
    child(`
      globalThis.all ??= []
      if (method !== 'tools/call' || all.push(id) < ${CALLS}) return
      for (const one of all) say({ jsonrpc: '2.0', id: one, result: { content: [{ type: 'text', text: 'x'.repeat(${LETTERS}) }] } })`),
    { revision },
  )

async function onSocket() {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-'))
  const all = together()
  const server = createServer((socket) => {
    createInterface({ input: socket }).on('line', (line) => {
      const { id, method } = JSON.parse(line)
      if (method === 'initialize') socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: OPENED })}\n`)
      else if (id !== undefined) all(() => socket.write(`${answerTo(id)}\n`))
    })
  }).listen(join(folder, 'socket'))
  onTestFinished(() => {
    server.close()
    return rm(folder, { recursive: true })
  })
  await once(server, 'listening')
  return connect({ socket: join(folder, 'socket') }, { revision })
}

const inMemory = () => {
  const all = together()
  const run = () => new Promise<string>((resolve) => all(() => resolve('x'.repeat(LETTERS))))
  return connect(defineServer({ name: 's', version: '1', tools: [defineTool({ name: 'go', run })] }))
}

const WAYS: readonly [way: string, open: () => Promise<Client>][] = [
  ['in bodies', () => overHttp(asJson, {})],
  ['in events', () => overHttp(asEvent, {})],
  ["in bodies that the web's own fetch has fetched", () => overHttp(asJson, { fetch })],
  ['in events of an SSE pair', byPair],
  ['in lines of a process', onStdio],
  ['in lines of a socket', onSocket],
  ['in memory', inMemory],
]

/** How often the loop has been round since then. */
function countTurns(): () => number {
  let turns = 0
  let isOn = true
  const next = () => {
    turns++
    if (isOn) setImmediate(next)
  }
  next()
  onTestFinished(() => {
    isOn = false
  })
  return () => turns
}

describe('large answers that come together', () => {
  it.each(WAYS)('%s are taken up in a turn of the loop each', async (_, open) => {
    await using client = await open()
    const turn = countTurns()
    const calls = Array.from({ length: CALLS }, async () => {
      const { content } = await client.callTool('go')
      return { turn: turn(), length: (content[0] as { text: string }).text.length }
    })
    const answered = await Promise.all(calls)
    expect(answered.map(({ length }) => length)).toEqual(calls.map(() => LETTERS))
    expect(new Set(answered.map((one) => one.turn)).size).toBe(CALLS)
  })
})

const NOTICE = (data: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data },
})
const SAID = [NOTICE('x'.repeat(LETTERS)), NOTICE('small')].map((one) => JSON.stringify(one))

const SPEAKERS: readonly [way: string, open: (options: ConnectOptions) => Promise<Client>][] = [
  [
    'in events',
    (options) =>
      overHttp(
        (response, text) => {
          const all = [...SAID, text].map((one) => `data: ${one}\n\n`)
          return events(response).end(all.join(''))
        },
        options,
        1,
      ),
  ],
  [
    'in lines',
    (options) => {
      const notices = `['x'.repeat(${LETTERS}), 'small'].map((data) => ({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } }))`
      return connect(
        child(`
          if (method !== 'tools/call') return
          for (const one of ${notices}) say(one)
          reply({ content: [{ type: 'text', text: 'x'.repeat(${LETTERS}) }] })`),
        { revision, ...options },
      )
    },
  ],
]

it.each(SPEAKERS)('what a server says before a large answer is heard before it, %s', async (_, open) => {
  const heard: string[] = []
  const onNotification = ({ params }: { params: { data?: unknown } }) =>
    void heard.push(String(params.data).slice(0, 5))
  await using client = await open({ onNotification })
  await client.callTool('go')
  expect(heard).toEqual(['xxxxx', 'small'])
})

it('a large answer counts that was the last word of its process', async () => {
  const ending = child(`
    if (method === 'tools/call') {
      reply({ content: [{ type: 'text', text: 'x'.repeat(${LETTERS}) }] })
      process.stdout.write('', () => process.exit())
    }`)
  const clients = await Promise.all(Array.from({ length: CALLS }, () => connect(ending, { revision })))
  const answers = await Promise.all(clients.map((client) => client.callTool('go')))
  expect(answers.map(({ content }) => (content[0] as { text: string }).text.length)).toEqual(
    clients.map(() => LETTERS),
  )
  await Promise.all(clients.map((client) => client.close()))
})
