// Ten upstreams behind one gateway, nine of them under load, before and while the tenth takes calls and answers none.
import { setMaxListeners } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../dist/client/index.js'
import { defineServer, defineTool, serveHttp } from '../../dist/index.js'
import { upstream } from '../../dist/modules/upstream/index.js'
import { printTable } from '../table.mjs'

const PHASE_MS = 4000
const TURNS = 3
const AT_ONCE = 9

/** Prints the p99 of the nine with the tenth well and sick, in turns, and their ratio; gives the table. */
export async function measureSickness() {
  const behind = await Promise.all(Array.from({ length: 10 }, (_, at) => serveOne(`u${at}`)))
  const modules = behind.map(({ name, url }) => upstream(name, { url }))
  const gateway = await serveHttp(defineServer({ name: 'gateway', version: '1', modules }))
  const clients = await Promise.all(Array.from({ length: AT_ONCE }, () => connect(gateway.url)))
  const sick = behind[9]
  const p99s = { well: [], sick: [] }
  await load(clients, 2000)
  for (let turn = 0; turn < TURNS; turn++)
    for (const state of ['well', 'sick']) {
      sick.isSick = state === 'sick'
      const stop = new AbortController()
      setMaxListeners(0, stop.signal)
      const pestering = sick.isSick ? pester(clients[0], stop.signal) : undefined
      p99s[state].push(percentile(await load(clients, PHASE_MS), 0.99))
      stop.abort()
      await pestering
    }
  const [well, ill] = [p99s.well, p99s.sick].map((list) => list.toSorted((a, b) => a - b)[1])
  const print = (list) => list.map((one) => one.toFixed(2)).join(', ')
  const head = ['the tenth is', 'p99 of the nine, ms', 'median', 'of the median when well']
  const rows = [
    ['well', print(p99s.well), well.toFixed(2), 1],
    ['sick', print(p99s.sick), ill.toFixed(2), `${(ill / well).toFixed(2)} (1.2 wanted)`],
  ]
  printTable(head, rows)
  console.log(`ratio ${(ill / well).toFixed(2)} (1.2 wanted)`)
  await Promise.all(clients.map((client) => client.close()))
  await gateway.close(0)
  return { head, rows }
}

/** An upstream that can take calls and leave them unanswered. */
async function serveOne(name) {
  const tools = [defineTool({ name: 'echo', run: () => name })]
  const served = await serveHttp(defineServer({ name, version: '1', tools }))
  const one = { name, isSick: false, url: served.url }
  if (name !== 'u9') return one
  const door = createServer((request, response) => {
    if (!one.isSick) void handOn(served.url, request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => door.once('listening', resolve))
  door.unref()
  one.url = `http://127.0.0.1:${door.address().port}/mcp`
  return one
}

async function handOn(url, request, response) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { 'content-length': _length, connection: _connection, host: _host, ...headers } = request.headers
  const answer = await fetch(url, { method: request.method, headers, body: Buffer.concat(chunks) })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
  for await (const chunk of answer.body) response.write(chunk)
  response.end()
}

async function load(clients, milliseconds) {
  const until = performance.now() + milliseconds
  const took = []
  await Promise.all(
    clients.map(async (client, at) => {
      while (performance.now() < until) {
        const began = performance.now()
        await client.callTool(`u${at}_echo`)
        took.push(performance.now() - began)
      }
    }),
  )
  return took
}

/** Calls the sick one again and again, and gives up. */
async function pester(client, signal) {
  while (!signal.aborted) {
    client.callTool('u9_echo', {}, { signal }).catch(() => {})
    await sleep(50)
  }
}

function percentile(values, part) {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)]
}
