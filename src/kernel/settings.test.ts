import { expect, it } from 'vitest'
import { introduction, talk } from '../../test/setup/talk.ts'
import { defineServer } from '../authoring/define-server.ts'
import { createTestClient, type TestClientOptions } from '../client/test-client.ts'
import { elicit, needs } from './asking/needs.ts'
import type { Call } from './definitions/authors.ts'

const MINUTE = 60_000

const WHO = { name: elicit({ message: 'Who?', schema: { type: 'object', properties: {} } }) }
const ask = {
  name: 'ask',
  run: (_args: unknown, call: Call) => (call.answers['name'] === undefined ? needs(WHO) : 'answered'),
}
const serve = () => defineServer({ name: 's', version: '1', tools: [ask] })
const options: TestClientOptions = { answers: { 'elicitation/create': () => new Promise(() => {}) } }

it.each([
  [15 * MINUTE - 1, { result: { content: [{ text: 'answered' }] } }],
  [15 * MINUTE, { error: { message: 'Invalid requestState: it has expired' } }],
])('a client that comes back with answers after %d ms is told %j', async (later, reply) => {
  const server = serve()
  let now = 1000
  server.platform.now = () => now
  const to = talk(server)
  const params = { name: 'ask', arguments: {}, _meta: introduction({ elicitation: {} }) }
  const { result } = await to.ask('tools/call', params)
  now += later
  const inputResponses = { name: { action: 'decline' } }
  const { requestState } = result as { requestState: string }
  expect(await to.ask('tools/call', { ...params, requestState, inputResponses })).toMatchObject(reply)
})

it('a client has ten minutes to answer a question', async () => {
  const server = serve()
  const clocks: number[] = []
  server.platform.after = (milliseconds, run) => {
    clocks.push(milliseconds)
    queueMicrotask(run)
    return () => {}
  }
  const client = await createTestClient(server, { revision: '2025-11-25', ...options })
  expect(await client.callTool('ask')).toMatchObject({
    isError: true,
    content: [{ text: 'The client did not answer elicitation/create in time' }],
  })
  expect(clocks).toContain(10 * MINUTE)
})

it('a list has a thousand entries on a page', async () => {
  const server = defineServer({ name: 's', version: '1', resources: [] })
  const add = (number: number) => server.resources.add({ uri: `x:${number}`, name: 'x', read: () => '' })
  for (let number = 0; number < 1000; number++) add(number)
  const client = await createTestClient(server)
  const page = async () => {
    const { resources, nextCursor } = await client.request('resources/list')
    return [(resources as unknown[]).length, typeof nextCursor]
  }
  expect(await page()).toEqual([1000, 'undefined'])
  add(1000)
  expect(await page()).toEqual([1000, 'string'])
})

it('a result may be held to two hundred tokens, and not to fewer', () => {
  const define = (tokens: number) => () => defineServer({ name: 's', version: '1', budget: { tokens } })
  expect(define(200)).not.toThrow()
  for (const tokens of [199, 200.5]) expect(define(tokens)).toThrow('expected a whole number from 200 on')
})
