import { defineServer, serveHttp } from '../../dist/index.js'

/** Uses a server in every shape, closes it, and has nothing more to do. */
const server = defineServer({ name: 'sample', version: '1', tools: [{ name: 'echo', run: () => 'hi' }] })
const http = await serveHttp(server)

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
const opened = await fetch(http.url, {
  method: 'POST',
  headers,
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
})
await opened.json()
const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') }
const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
await fetch(http.url, { method: 'POST', headers: { ...headers, ...session }, body })
await fetch(http.url, { headers: { accept: 'text/event-stream', ...session } })
await fetch(http.url.replace('/mcp', '/sse'), { headers: { accept: 'text/event-stream' } })
console.log('closed', await http.close())
