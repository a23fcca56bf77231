import { getEventListeners } from 'node:events'
import { expect, it, vi } from 'vitest'
import { createTestClient, defineServer, defineTool, elicit, Needs } from '../../src/index.ts'

const ROUNDS = 50
const FORM = { type: 'object', properties: { size: { type: 'string' } } } as const

const order = defineTool({
  name: 'order',
  run: (_, call) => {
    const asked = call.ask({ size: elicit({ message: 'Which size?', schema: FORM }) })
    return asked instanceof Needs ? asked : 'ordered'
  },
})
const notes = { uri: 'notes://one', name: 'notes', read: () => 'a note' }
const server = defineServer({ name: 's', version: '1', tools: [order], resources: [notes] })

/** What a connection remembers of each thing that it was asked would grow for as long as it is open. */
it('keeps nothing of what has been listened to, and of calls that have been answered', async () => {
  const any = vi.spyOn(AbortSignal, 'any') // On Node 20 its signals are remembered for ever by those they follow.
  const add = vi.spyOn(EventTarget.prototype, 'addEventListener')
  const answers = { 'elicitation/create': () => ({ action: 'accept', content: { size: 'large' } }) }
  const client = await createTestClient(server, { answers })
  const { signal } = new AbortController()
  for (let round = 0; round < ROUNDS; round++) {
    await (await client.listen({ uris: [notes.uri] }, () => {})).close()
    expect((await client.callTool('order', {}, { signal })).content).toMatchObject([{ text: 'ordered' }])
  }
  const signals = add.mock.contexts.filter((one) => one instanceof AbortSignal)
  expect(signals).toContain(signal)
  expect(Math.max(...signals.map((one) => getEventListeners(one, 'abort').length))).toBeLessThan(ROUNDS / 2)
  expect(any).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})
