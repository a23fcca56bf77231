import { randomUUID } from 'node:crypto'
import { createServer as createNodeServer } from 'node:http'
import { JSON_ANSWERS, PORT } from './zod-tools.mjs'

/** A session for each client, in the way of both official SDKs; whoever tells of a change tells all of `servers`. */
export function serveSessions(Transport, createServer, servers) {
  const transports = new Map()
  const open = async () => {
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: JSON_ANSWERS,
      onsessioninitialized: (id) => transports.set(id, transport),
    })
    const server = createServer()
    servers.add(server)
    await server.connect(transport)
    return transport
  }
  createNodeServer(async (request, response) => {
    const transport = transports.get(request.headers['mcp-session-id']) ?? (await open())
    await transport.handleRequest(request, response)
  }).listen(PORT, '127.0.0.1')
}
