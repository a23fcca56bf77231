import { describe, expect, it } from 'vitest'
import { createTestClient, defineServer, defineTool, elicit, Needs } from '../../src/index.ts'
import type { JsonObject } from '../../src/kernel/index.ts'
import { DONE, FakeServer, handshakes, json, result } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, gatewayTo, textOf } from './gateway-of.ts'

endAfterEach()

const byName = (count: number, part: (index: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, part(index)]))

/** Schemas that nobody could check by, or not in reasonable time. */
const HOSTILE: { readonly [what: string]: JsonObject } = {
  'many properties': { type: 'object', properties: byName(5000, () => ({ type: 'string' })) },
  'many addresses': { type: 'object', $defs: byName(800, (index) => ({ $id: `d${index}` })) },
  'a circle of references': { type: 'object', allOf: [{ $ref: '#' }] },
  'a remote reference': { type: 'object', properties: { a: { $ref: 'https://nowhere.example/' } } },
  'an expression that is none': { type: 'object', properties: { a: { pattern: '(' } } },
  'an expression that takes for ever': {
    type: 'object',
    properties: { text: { type: 'string', pattern: '^(a+)+$' } },
  },
  'names of Object': JSON.parse('{"type":"object","properties":{"__proto__":{"type":"strin"}}}'),
  'another draft': { type: 'object', $schema: 'http://json-schema.org/draft-04/schema#' },
}

const TEXT = `${'a'.repeat(50)}b`

const greeting = defineServer({
  name: 'greeting',
  version: '1',
  tools: [defineTool({ name: 'greet', run: () => 'hello' })],
})

describe.each(Object.entries(HOSTILE))('a schema with %s', (_what, schema) => {
  it('of a tool behind a gateway keeps nobody from calling it', async () => {
    const server = await FakeServer.open((heard, response) => {
      if (handshakes(heard, response)) return
      const lists = { tools: [{ name: 'go', inputSchema: schema, outputSchema: schema }], resources: [] }
      const done = { ...DONE, structuredContent: { text: TEXT, a: TEXT }, resourceTemplates: [] }
      json(response, result(heard.message.id, { ...lists, ...done }))
    })
    ending.push(() => server[Symbol.asyncDispose]())
    const client = await clientOf(gatewayTo({ other: { url: server.url } }))
    const { content } = await client.callTool('go', { text: TEXT, a: TEXT })
    expect(content).toEqual(DONE.content)
    expect((await client.tools()).map(({ name }) => name)).toEqual(['go'])
  })

  it('of a tool that comes later is refused, or its values are, and the others are as they were', async () => {
    const client = await createTestClient(greeting)
    try {
      greeting.tools.add(defineTool({ name: 'late', input: schema, run: () => 'late' }))
      const { isError } = await client.callTool('late', { text: TEXT })
      expect(isError).toBe(true)
      greeting.tools.remove('late')
    } catch (error) {
      expect(String(error)).toMatch(/Tool late: its input schema is not usable/)
    }
    expect(textOf(await client.callTool('greet'))).toBe('hello')
  })
})

it('an answer to a question is held against its expression for a while only', async () => {
  const schema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } } as const
  const asking = defineServer({
    name: 'asking',
    version: '1',
    tools: [
      defineTool({
        name: 'ask',
        run: (_input, call) => {
          const asked = call.ask({ answer: elicit({ message: 'What?', schema }) })
          return asked instanceof Needs ? asked : 'answered'
        },
      }),
    ],
  })
  const client = await createTestClient(asking, {
    answers: { 'elicitation/create': () => ({ action: 'accept', content: { text: TEXT } }) },
  })
  await expect(client.callTool('ask')).rejects.toThrow(
    'inputResponses.answer: expected a value that takes less work to check (--max-check-steps)',
  )
})
