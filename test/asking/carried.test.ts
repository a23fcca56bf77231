import { describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient } from '../../src/client/test-client.ts'
import { elicit, listRoots, Needs, type Question } from '../../src/kernel/asking/needs.ts'
import type { JsonObject } from '../../src/kernel/jsonrpc/message.ts'

const form = (properties: JsonObject, message = '?') =>
  elicit({ message, schema: { type: 'object', properties, required: Object.keys(properties) } })

const NUMBER = form({ n: { type: 'number' } })
const TEXT = form({ s: { type: 'string' } })

/** Asks both under one key, one after the other. */
function twice(first: Question, second: Question) {
  return async (revision: string) => {
    const observed: string[] = []
    const server = defineServer({
      name: 's',
      version: '1',
      tools: [
        {
          name: 'twice',
          run: (_args, call) => {
            const one = call.ask({ x: first })
            if (one instanceof Needs) return one
            const other = call.ask({ x: second })
            return other instanceof Needs ? other : JSON.stringify(other)
          },
        },
      ],
      observe: (event) => void (event.kind === 'crashed' && observed.push(String(event.error))),
    })
    const answers = { 'elicitation/create': () => ({ action: 'accept', content: { n: 1 } }) }
    const client = await createTestClient(server, { revision, answers })
    return { result: await client.callTool('twice'), observed }
  }
}

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('a key that is asked again, in %s', (revision) => {
  it.each([
    ['another form', TEXT],
    ['another kind of question', listRoots()],
  ])('with %s, which the answer does not fit, is a mistake that is told', async (_what, second) => {
    const { result, observed } = await twice(NUMBER, second)(revision)
    const said = 'call.ask: x was asked with another form before'
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(said) }] })
    expect(observed.join()).toContain(said)
  })

  it.each([
    ['the same form', NUMBER],
    ['another message', form({ n: { type: 'number' } }, 'It is noon. A number?')],
    ['a form that the answer fits', form({ n: { type: 'number', maximum: 5 } })],
  ])('with %s has its answer', async (_what, second) => {
    const { result } = await twice(NUMBER, second)(revision)
    expect(result.content).toMatchObject([{ text: '{"x":{"action":"accept","content":{"n":1}}}' }])
  })
})

describe('what a client carries between two rounds', () => {
  const carrying = async (state: string, budgets = {}) => {
    const server = defineServer({
      name: 's',
      version: '1',
      budgets,
      tools: [
        {
          name: 'keep',
          run: (_args, call) => {
            const asked = call.ask({ x: NUMBER }, { state })
            return asked instanceof Needs ? asked : String((call.state as string).length)
          },
        },
      ],
    })
    const answers = { 'elicitation/create': () => ({ action: 'accept', content: { n: 1 } }) }
    const client = await createTestClient(server, { revision: '2026-07-28', answers })
    return client.callTool('keep')
  }

  it('comes back', async () => {
    expect((await carrying('x'.repeat(300_000))).content).toMatchObject([{ text: '300000' }])
  })

  it.each([
    [400_000, {}, 'at most 524288 bytes'],
    [300_000, { maxLineBytes: 100_000 }, 'at most 50000 bytes'],
    [300_000, { maxBodyBytes: 100_000 }, 'at most 50000 bytes'],
  ])('is not sent where it could not come back: %d characters, %j', async (length, budgets, said) => {
    const { content, isError } = await carrying('x'.repeat(length), budgets)
    expect(isError).toBe(true)
    expect(content).toMatchObject([{ text: expect.stringContaining(said) }])
    expect(content).toMatchObject([{ text: expect.stringContaining('Keep what is large in a store') }])
  })
})
