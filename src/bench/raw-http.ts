import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { answer, CHANGE, type RawRequest } from './raw-answers.ts'

/** The limit on node:http: parse, switch, print; a stream of events where something is said before the answer. */
const streams = new Set<ServerResponse>()

const JSON_TYPE = 'application/json'
const EVENTS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }
const event = (text: string) => `data: ${text}\n\n`

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    streams.add(response)
    response.on('close', () => streams.delete(response))
    response.writeHead(200, EVENTS).flushHeaders()
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => reply(JSON.parse(Buffer.concat(chunks).toString()) as RawRequest, response))
})

function reply(asked: RawRequest, response: ServerResponse): void {
  if (asked.id === undefined) return void response.writeHead(202, { 'content-length': 0 }).end()
  let events = ''
  const text = answer(asked, (notice) => {
    events += event(notice)
  })
  if (asked.params?.name === 'announce') for (const stream of streams) stream.write(event(CHANGE))
  if (events !== '') return void response.writeHead(200, EVENTS).end(events + event(text))
  const session = asked.method === 'initialize' ? { 'mcp-session-id': randomUUID() } : {}
  const length = Buffer.byteLength(text)
  response.writeHead(200, { 'content-type': JSON_TYPE, ...session, 'content-length': length }).end(text)
}

server.keepAliveTimeout = 65_000
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(address?.port)
})
