import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineServer, serveHttp } from '../../dist/index.js'

/** Opens sessions that nobody ever uses, and says how many KiB each of them costs. */
const SESSIONS = 2000

const server = defineServer({ name: 'sample', version: '1', tools: [{ name: 'echo', run: () => 'hi' }] })
const http = await serveHttp(server)
const agent = new Agent({ keepAlive: true, maxSockets: 8 })

function post(message, headers = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(http.url, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.resume().on('end', () => resolve(response.headers['mcp-session-id']))
    })
    sent.end(JSON.stringify(message))
  })
}

async function open(count) {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const next = async () => {
    const id = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': id })
  }
  for (let done = 0; done < count; done += 8) await Promise.all(Array.from({ length: 8 }, next))
}

async function used() {
  for (let round = 0; round < 5; round++) {
    globalThis.gc()
    await sleep(20)
  }
  return process.memoryUsage().heapUsed
}

await open(200)
const before = await used()
await open(SESSIONS)
const perSession = ((await used()) - before) / SESSIONS / 1024
// Every session hears of a change, and keeps the notice for a client that may still open its stream.
server.tools.add({ name: 'extra', run: () => 'hi' })
await sleep(100)
const withNotice = ((await used()) - before) / SESSIONS / 1024
console.log(JSON.stringify({ perSession, withNotice }))
agent.destroy()
await http.close()
