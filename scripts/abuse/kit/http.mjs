import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const NEWEST = '2026-07-28'

/** A client that speaks plain HTTP to one server, over connections of its own. */
export function createClient(url, { sockets = 64, headers = {} } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  let lastId = 0

  async function send(body, more = {}, method = 'POST') {
    const sent = request(url, { method, agent, headers: { ...JSON_HEADERS, ...headers, ...more } })
    sent.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body))
    const [response] = await once(sent, 'response')
    const chunks = []
    for await (const chunk of response) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    return { status: response.statusCode, headers: response.headers, text, message: readMessage(text) }
  }

  /** A request of 2026-07-28, which needs no session. */
  function call(method, params = {}, more = {}) {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': NEWEST,
      'io.modelcontextprotocol/clientCapabilities': {},
      ...params._meta,
    }
    const name = params.name ?? params.uri ?? params.taskId
    const own = { 'mcp-protocol-version': NEWEST, 'mcp-method': method, ...(name && { 'mcp-name': name }) }
    const message = { jsonrpc: '2.0', id: ++lastId, method, params: { ...params, _meta: meta } }
    return send(message, { ...own, ...more })
  }

  return {
    send,
    call,
    tool: (name, args = {}) => call('tools/call', { name, arguments: args }),
    openSession: (options) => openSession(send, options),
    close: () => agent.destroy(),
  }
}

/** A session as handshake clients open it. */
async function openSession(send, { version = '2025-11-25', capabilities = {} } = {}) {
  const params = { protocolVersion: version, capabilities, clientInfo: { name: 'caller', version: '1' } }
  const opened = await send({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  const session = { 'mcp-session-id': opened.headers['mcp-session-id'] }
  if (session['mcp-session-id'] === undefined) return { opened, refused: opened }
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)
  let lastId = 0
  return {
    opened,
    headers: session,
    call: (method, params = {}) => send({ jsonrpc: '2.0', id: ++lastId, method, params }, session),
    tool: (name, args = {}) =>
      send(
        { jsonrpc: '2.0', id: ++lastId, method: 'tools/call', params: { name, arguments: args } },
        session,
      ),
    end: () => send(undefined, session, 'DELETE'),
  }
}

/** The message of a body: JSON, or the last event of a stream. */
function readMessage(text) {
  const data =
    text.startsWith('{') || text.startsWith('[')
      ? text
      : text
          .match(/^data: ?(\{.*)$/gm)
          ?.at(-1)
          ?.slice(5)
  try {
    return data === undefined ? undefined : JSON.parse(data)
  } catch {
    return undefined
  }
}

/** A connection on which bytes are sent as they are; nothing is read unless somebody listens. */
export async function dial(port) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}) // To be cut off is what is expected.
  await once(socket, 'connect')
  return socket
}

/** The text of a request as it goes over the wire. */
export function printRequest(message, headers = {}) {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const all = { host: '127.0.0.1', ...JSON_HEADERS, ...headers, 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

export function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Runs `work` this many times, so many at once; what fails counts as undefined. */
export async function many(count, atOnce, work) {
  const results = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      const place = next++
      results[place] = await work(place).catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
