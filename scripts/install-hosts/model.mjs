import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { APIS } from '../dev-storm/apis.mjs'

/** Gemini has the model in its path, and its events have no types. */
const GEMINI = {
  tools: ({ tools = [] }) => tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
  say: (text) => [
    { candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }] },
  ],
}

/** A model that has nothing to do, and remembers which tools it was offered. */
export async function openModel() {
  const offered = new Set()
  const server = createServer((request, response) => void answer(request, response, offered))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    offered,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function answer(request, response, offered) {
  const { pathname } = new URL(request.url, 'http://model')
  const api = /:(stream)?generateContent$/i.test(pathname) ? GEMINI : APIS[pathname]
  if (api === undefined || request.method !== 'POST') return response.writeHead(404).end('{}')
  const body = await json(request)
  for (const { name } of api.tools(body)) offered.add(name)
  const events = api.say('done')
  if (api === GEMINI && !/stream/i.test(pathname))
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(events[0]))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events)
    response.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
  response.end(api === GEMINI || events[0].type ? '' : 'data: [DONE]\n\n')
}
