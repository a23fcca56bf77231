import { expect, it } from 'vitest'
import { createTestClient, defineServer, defineTool } from '../../src/index.ts'

const add = defineTool({
  name: 'add',
  input: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
  run: ({ a }) => String(a),
})

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

it.each(REVISIONS)('are a result that a model can read in %s, where the author says so', async (revision) => {
  const dialect = { badArguments: 'tool-result' } as const
  const server = defineServer({ name: 's', version: '1', tools: [add], dialect })
  const client = await createTestClient(server, { revision })
  const { isError, content } = await client.callTool('add', { a: 'x' })
  expect(isError).toBe(true)
  expect(content).toEqual([
    { type: 'text', text: 'Invalid arguments for tool add: a: expected a number, got the string "x"' },
  ])
})

it.each(REVISIONS)('are an error in %s, where the author says so', async (revision) => {
  const server = defineServer({ name: 's', version: '1', tools: [add], dialect: { badArguments: 'fault' } })
  const client = await createTestClient(server, { revision })
  await expect(client.callTool('add', { a: 'x' })).rejects.toMatchObject({ code: -32602 })
})
