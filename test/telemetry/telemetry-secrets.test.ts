import { afterEach, beforeEach, expect, it } from 'vitest'
import { parse } from '../../src/kernel/index.ts'
import { jsonLines, openTelemetry, prometheus } from '../../src/middleware/telemetry/index.ts'
import { receive } from '../setup/receive.ts'
import { talk } from '../setup/talk.ts'
import { type Sdk, startSdk } from './sdk.ts'
import { sample } from './telemetry-sample.ts'

const VERSION = '2025-11-25'
const SECRET = 'hunter2'
const KEY = `ghp_16C7e42F292c6912E7710c838347${SECRET}`

let sdk: Sdk
beforeEach(() => {
  sdk = startSdk()
})
afterEach(() => sdk.stop())

/** All that any sink got to know of a conversation in which secrets are everywhere. */
async function everythingTold(recordArguments: boolean): Promise<string> {
  const lines: string[] = []
  const write = (line: string) => lines.push(line)
  const traces = openTelemetry()
  const counts = prometheus()
  await traces.ready
  const sinks = [
    jsonLines({ write, level: 'debug' }),
    jsonLines({ write, level: 'debug', format: 'pretty' }),
    traces,
    counts,
  ]
  const run = (args: { readonly [name: string]: unknown }) => ({ found: args, note: `Bearer ${SECRET}` })
  const server = sample(sinks, { recordArguments, run })
  const args = { apiKey: SECRET, nested: { password: SECRET }, header: `Authorization: Bearer ${SECRET}` }
  const to = talk(server, VERSION)
  for (const name of ['echo', 'later', 'run', 'broken', 'refusing', 'picky']) {
    await to.ask('tools/call', { name, arguments: args, _meta: { authorization: `Bearer ${SECRET}` } })
  }
  await to.ask('tools/call', { name: `token=${SECRET}` })
  await to.ask(`password=${SECRET}`, {})
  await to.ask(KEY, {})
  await to.ask('tools/call', { name: KEY })
  await to.ask('resources/read', { uri: `file:///${KEY}` })
  await to.ask('resources/read', { uri: `https://me:${SECRET}@host/?access_token=${SECRET}` })
  const link = server.open({ outlet: { send() {} }, principal: { id: SECRET, scopes: [SECRET] } })
  const clientInfo = { name: `Bearer ${SECRET}`, version: `https://me:${SECRET}@host ${KEY}` }
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo }
  void receive(link, parse(JSON.stringify({ jsonrpc: '2.0', id: KEY, method: 'initialize', params })))
  to.close()
  link.close()
  const spans = sdk
    .spans()
    .map(({ name, attributes, status, events }) => ({ name, attributes, status, events }))
  const metric = await sdk.metric('mcp.server.operation.duration')
  return [...lines, counts.render(), JSON.stringify(spans), JSON.stringify(metric)].join('\n')
}

it.each([false, true])('tells no secrets to any sink, with recordArguments %j', async (recordArguments) => {
  const told = await everythingTold(recordArguments)
  expect(told.includes('[redacted]')).toBe(true)
  expect(told.split('\n').filter((line) => line.includes(SECRET))).toEqual([])
})

it('tells nothing at all of arguments, results and what errors quote, if messages are withheld', async () => {
  const lines: string[] = []
  const traces = openTelemetry()
  await traces.ready
  const sinks = [jsonLines({ write: (line) => lines.push(line), level: 'debug' }), traces]
  const to = talk(sample(sinks, { run: () => 'private answer', errorMessages: 'withheld' }), VERSION)
  for (const name of ['echo', 'later', 'run', 'broken', 'refusing']) {
    await to.ask('tools/call', { name, arguments: { about: 'private matter' } })
  }
  await to.ask('tools/call', { name: 'picky', arguments: { n: 'private matter' } })
  await to.ask('logging/setLevel', { level: 'private matter' })
  to.send('"private matter')
  const spans = sdk.spans().map(({ attributes, status, events }) => ({ attributes, status, events }))
  expect(lines.length).toBeGreaterThan(10)
  expect(`${lines.join('')}${JSON.stringify(spans)}`).not.toContain('private')
})
