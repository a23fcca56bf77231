// A server of a hundred tools: what it takes to define, and its first call, in milliseconds.
import { defineServer } from '../../dist/index.js'
import { parse, print } from '../../dist/kernel/index.js'
import { createLaps } from './laps.mjs'
import { createSchema, VALID } from './schema-libraries.mjs'

const request = (id, method, params) => parse(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
const tools = Array.from({ length: 100 }, (_, index) => ({
  name: `tool-${index}`,
  input: createSchema(),
  run: () => 'fine',
}))

const lap = createLaps()
lap()
const server = defineServer({ name: 'probe', version: '1', tools })
const define = lap()
const link = server.open({ outlet: { send: () => {} } })
const clientInfo = { name: 'probe', version: '1' }
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
const receive = (message) => new Promise((resolve) => link.receive(message, resolve))
await receive(request(0, 'initialize', params))
if (!process.argv.includes('--at-once')) await new Promise((resolve) => setTimeout(resolve, 20)) // It reads its greeting.
lap()
const reply = await receive(request(1, 'tools/call', { name: 'tool-7', arguments: JSON.parse(VALID) }))
const text = print(reply)
const call = lap()
if (!text.includes('fine')) throw new Error(`expected an answer, got ${text}`)
console.log(JSON.stringify({ define, call }))
