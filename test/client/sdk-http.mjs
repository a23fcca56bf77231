// The official SDK's servers over HTTP: with sessions whose streams can be resumed, without sessions, and the SSE pair.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { InMemoryEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createSdkServer } from './sdk-sample.mjs'

const sessions = new Map()
const pairs = new Map()

async function withSession(request, response) {
  const id = request.headers['mcp-session-id']
  const known = sessions.get(id)
  if (known !== undefined) return known.handleRequest(request, response)
  if (id !== undefined) return void response.writeHead(404).end()
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: new InMemoryEventStore(),
    retryInterval: 20,
    onsessioninitialized: (session) => sessions.set(session, transport),
  })
  await createSdkServer().connect(transport)
  await transport.handleRequest(request, response)
}

async function withoutSession(request, response) {
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
  await createSdkServer().connect(transport)
  await transport.handleRequest(request, response)
}

async function pair(request, response) {
  if (request.method !== 'GET') return void response.writeHead(405).end()
  const transport = new SSEServerTransport('/messages', response)
  pairs.set(transport.sessionId, transport)
  await createSdkServer().connect(transport)
}

async function messages(request, response) {
  const id = new URL(request.url, 'http://localhost').searchParams.get('sessionId')
  await pairs.get(id)?.handlePostMessage(request, response)
}

const PATHS = { '/sessions': withSession, '/stateless': withoutSession, '/sse': pair, '/messages': messages }

/** Serves on a port of its own; gives its origin, and how to forget all sessions. */
export async function serveSdk() {
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    void PATHS[pathname]?.(request, response)
  })
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${http.address().port}`,
    forget: () => sessions.clear(),
    close: () => {
      http.closeAllConnections()
      return new Promise((resolve) => http.close(resolve))
    },
  }
}
