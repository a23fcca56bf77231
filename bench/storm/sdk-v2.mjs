// The official SDK of the second generation: sessions as its documentation has them, 2026-07-28 by its handler.
import { randomUUID } from 'node:crypto'
import { createServer as createNodeServer } from 'node:http'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { INFO, PORT, ROOMS, roomUri, said, TOOLS, textResult, WORD } from './tools.mjs'

const token = z.object({ token: z.string() })
const QUESTION = {
  message: 'Which word?',
  requestedSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
}
const SAMPLING = { messages: [{ role: 'user', content: { type: 'text', text: 'A word?' } }], maxTokens: 9 }

function createServer() {
  const server = new McpServer(INFO, { capabilities: { tools: { listChanged: true } } })
  for (const { name, schema, run } of TOOLS) {
    server.registerTool(name, { description: name, inputSchema: schema }, async (args, { mcpReq }) => {
      const { progressToken } = mcpReq._meta ?? {}
      const progress = (done, total) => {
        const params = { progressToken, progress: done, total }
        return progressToken === undefined
          ? undefined
          : mcpReq.notify({ method: 'notifications/progress', params })
      }
      return textResult(await run(args, { progress, signal: mcpReq.signal }))
    })
  }
  server.registerTool('ask', { description: 'ask', inputSchema: token }, async ({ token }, { mcpReq }) => {
    if (mcpReq.envelope === undefined) {
      const { action, content } = await mcpReq.elicitInput({ mode: 'form', ...QUESTION })
      return textResult(said(`${token} ${action === 'accept' ? content.word : action}`))
    }
    const answer = acceptedContent(mcpReq.inputResponses, 'word', WORD)
    if (answer !== undefined) return textResult(said(`${token} ${answer.word}`))
    return inputRequired({ inputRequests: { word: inputRequired.elicit(QUESTION) } })
  })
  server.registerTool(
    'think',
    { description: 'think', inputSchema: token },
    async ({ token }, { mcpReq }) => {
      if (mcpReq.envelope === undefined) {
        const { content } = await mcpReq.requestSampling(SAMPLING)
        return textResult(said(`${token} ${content.text}`))
      }
      const answer = inputResponse(mcpReq.inputResponses, 'word')
      if (answer.kind === 'sampling') return textResult(said(`${token} ${answer.result.content.text}`))
      return inputRequired({ inputRequests: { word: inputRequired.createMessage(SAMPLING) } })
    },
  )
  for (let room = 0; room < ROOMS; room++) {
    const uri = roomUri(room)
    server.registerResource(`room-${room}`, uri, {}, async () => ({ contents: [{ uri, text: 'a room' }] }))
  }
  return server
}

/** What a session has said, as the SDK's own example keeps it: in memory. */
class Events {
  #events = []

  async storeEvent(stream, message) {
    this.#events.push({ stream, message })
    return String(this.#events.length)
  }

  async getStreamIdForEventId(id) {
    return this.#events[Number(id) - 1]?.stream
  }

  async replayEventsAfter(id, { send }) {
    const { stream } = this.#events[Number(id) - 1]
    for (const [place, event] of this.#events.entries()) {
      if (place >= Number(id) && event.stream === stream) await send(String(place + 1), event.message)
    }
    return stream
  }
}

const transports = new Map()

async function open() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: new Events(),
    onsessioninitialized: (id) => transports.set(id, transport),
    onsessionclosed: (id) => transports.delete(id),
  })
  await createServer().connect(transport)
  return transport
}

const newest = toNodeHandler(createMcpHandler(createServer))

async function handle(request, response) {
  if (request.headers['mcp-method'] !== undefined) return newest(request, response)
  const id = request.headers['mcp-session-id']
  const transport = id === undefined ? await open() : transports.get(id)
  if (transport !== undefined) return transport.handleRequest(request, response)
  const error = { code: -32001, message: 'Session not found' }
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
}

createNodeServer((request, response) => void handle(request, response)).listen(PORT, '127.0.0.1', () =>
  console.log(`listening at http://127.0.0.1:${PORT}/mcp`),
)
