// Run with --allow-natives-syntax: what calls make, seen from inside V8. Prints bytes a call, and whether all objects
// of a kind have one hidden class: V8 makes a new one for each where an object begins as a copy and then grows.
import { ServerResponse } from 'node:http'
import { runInThisContext } from 'node:vm'
import { defineServer, serveHttp } from '../../dist/index.js'
import { META, NEWEST, parse, print } from '../../dist/kernel/index.js'

const CALLS = 100

const server = defineServer({
  name: 's',
  version: '1',
  tools: [
    {
      name: 'echo',
      input: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
      run: ({ message }) => message,
    },
  ],
})

const ask = (method, params) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
const info = { name: 'c', version: '1' }
const call = { name: 'echo', arguments: { message: 'hello' } }
const _meta = { [META.protocolVersion]: NEWEST.id, [META.clientInfo]: info, [META.clientCapabilities]: {} }
const alone = ask('tools/call', { ...call, _meta })

const link = server.open({ outlet: { send() {} } })
const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info }
let last
const keep = (reply) => {
  last = reply
}
const receive = (text) => {
  link.receive(parse(text), keep)
  return last
}
receive(ask('initialize', opening))

/** The median of a few rounds, since a collection may fall into one. */
function bytesOf(run) {
  for (let calls = 0; calls < 20 * CALLS; calls++) run()
  const rounds = Array.from({ length: 9 }, () => {
    const before = process.memoryUsage().heapUsed
    for (let calls = 0; calls < CALLS; calls++) run()
    return (process.memoryUsage().heapUsed - before) / CALLS
  })
  return rounds.sort((one, other) => one - other)[4]
}

const haveSameMap = runInThisContext('(one, other) => %HaveSameMap(one, other)')
const areAlike = (objects) => objects.every((one) => haveSameMap(one, objects[0]))
const resultsOf = (text) => Array.from({ length: CALLS }, () => receive(text).result)

/** What is handed to Node as the headers of an answer. */
async function headersOfAnswers() {
  const seen = []
  const { writeHead } = ServerResponse.prototype
  ServerResponse.prototype.writeHead = function (status, headers) {
    seen.push(headers)
    return writeHead.call(this, status, headers)
  }
  const http = await serveHttp(server)
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': NEWEST.id,
    'mcp-method': 'tools/call',
    'mcp-name': 'echo',
  }
  for (let calls = 0; calls < 10; calls++)
    await (await fetch(http.url, { method: 'POST', headers, body: alone })).text()
  await http.close()
  return seen
}

const outlet = { send() {} }
const NOBODY = { rested() {}, makeRoom() {} }
/** As over HTTP, where a stateless client has a link for each call. */
const receiveOnce = (text) => {
  server.open({ outlet, stateless: true, ...NOBODY }).receive(parse(text), keep)
  return last
}

const handshake = ask('tools/call', call)
const report = {
  bytes: {
    handshake: bytesOf(() => print(receive(handshake))),
    alone: bytesOf(() => print(receive(alone))),
    once: bytesOf(() => print(receiveOnce(alone))),
  },
  alike: {
    handshake: areAlike(resultsOf(handshake)),
    alone: areAlike(resultsOf(alone)),
    headers: areAlike(await headersOfAnswers()),
  },
  unlike: areAlike([{ one: 1 }, { other: 1 }]),
}
console.log(JSON.stringify(report))
