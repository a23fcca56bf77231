import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createClient, sleep } from '../abuse/kit/http.mjs'

const HANDSHAKES = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const FORM = { elicitation: { form: {} } }

/** Kinds of callers, each with how often it comes; every visit gives what a well-behaved caller was refused. */
export function kinds(url, random) {
  const pick = (list) => list[Math.floor(random() * list.length)]
  const session = (work) => async (note) => {
    const client = createClient(url, { sockets: 4 })
    try {
      const version = pick(HANDSHAKES.slice(1))
      const opened = await client.openSession({ version, capabilities: FORM })
      note(opened.opened)
      if (opened.refused === undefined) await work(opened, note, client)
    } finally {
      client.close()
    }
  }
  return [
    { name: 'newest', often: 4, visit: (note) => newest(url, note) },
    {
      name: 'session, ended',
      often: 3,
      visit: session(async (one, note) => {
        note(await one.tool('add', { a: 1, b: 2 }))
        note(await one.tool('slow', { ms: 50 }))
        note(await one.call('resources/subscribe', { uri: 'clock://now' }))
        note(await one.tool('change'))
        note(await one.end())
      }),
    },
    {
      name: 'session, left behind',
      often: 3,
      visit: session(async (one, note) => note(await one.tool('add', { a: 1, b: 2 }))),
    },
    { name: 'reset in the middle of a call', often: 3, visit: (note) => cutOff(url, 'slow', random, note) },
    {
      name: 'gone in the middle of a question',
      often: 3,
      visit: (note) => cutOff(url, 'asks', random, note),
    },
    { name: 'stream opened and dropped', often: 2, visit: (note) => dropStream(url, random, note) },
    { name: 'pair of 2024', often: 2, visit: (note) => pair(url, random, note) },
    { name: 'task begun and forgotten', often: 1, visit: (note) => task(url, note) },
    { name: 'listener that leaves', often: 2, visit: (note) => listen(url, random, note) },
  ]
}

async function newest(url, note) {
  const client = createClient(url, { sockets: 2 })
  note(await client.tool('add', { a: 2, b: 2 }))
  note(await client.call('tools/list'))
  note(await client.tool('slow', { ms: 30 }))
  client.close()
}

/** Opens a session, begins a call, and resets the connection while it runs. */
async function cutOff(url, name, random, note) {
  const client = createClient(url, { sockets: 2 })
  const opened = await client.openSession({ version: '2025-06-18', capabilities: FORM })
  note(opened.opened)
  const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: { ms: 2000 } } }
  if (opened.refused === undefined) await abandon(url, message, opened.headers, random() * 100)
  client.close()
}

async function dropStream(url, random, note) {
  const client = createClient(url, { sockets: 2 })
  const opened = await client.openSession()
  note(opened.opened)
  if (opened.refused === undefined) {
    await abandon(url, undefined, { ...opened.headers, accept: 'text/event-stream' }, random() * 200, 'GET')
    note(await opened.tool('add', { a: 1, b: 1 }))
  }
  client.close()
}

async function listen(url, random, note) {
  const client = createClient(url, { sockets: 1 })
  note(await client.tool('add', { a: 3, b: 4 }))
  client.close()
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { _meta, notifications: { toolsListChanged: true, resourceSubscriptions: ['clock://now'] } },
  }
  const headers = { 'mcp-protocol-version': version, 'mcp-method': 'subscriptions/listen' }
  await abandon(url, message, headers, random() * 300)
}

async function task(url, note) {
  const client = createClient(url, { sockets: 1 })
  const _meta = {
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  }
  note(await client.call('tools/call', { name: 'work', arguments: {}, _meta }))
  client.close()
}

/** A client of 2024: it hears on one connection and speaks on others, and leaves without a word. */
async function pair(url, random, note) {
  const agent = new Agent()
  const hearing = request(new URL('/sse', url), { agent, headers: { accept: 'text/event-stream' } })
  hearing.on('error', () => {}) // It is we who cut it off.
  hearing.end()
  const [response] = await once(hearing, 'response')
  note({ status: response.statusCode, text: 'pair' })
  if (response.statusCode === 200) {
    response.on('error', () => {})
    const [first] = await once(response, 'data')
    const [, path] = /^data: (\S+)/m.exec(String(first)) ?? []
    const client = createClient(new URL(path, url), { sockets: 1 })
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    }
    note(await client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params }))
    note(await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' }))
    const call = { name: 'slow', arguments: { ms: 200 } }
    note(await client.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }))
    await sleep(random() * 300)
    client.close()
  }
  hearing.destroy()
  agent.destroy()
}

/** Sends a request and resets its connection after a while. */
async function abandon(url, message, headers, afterMs, method = 'POST') {
  const sent = request(url, {
    method,
    agent: false,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  })
  sent.on('error', () => {}) // It is we who cut it off.
  sent.on('response', (response) => response.on('error', () => {}).resume())
  sent.end(message === undefined ? undefined : JSON.stringify(message))
  await sleep(afterMs)
  if (sent.socket) sent.socket.resetAndDestroy()
  sent.destroy()
}
