import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient } from '../../client/test-client.ts'
import { basics } from './index.ts'

it.each([
  ['hello', { name: 'Ann' }, 'Hello, Ann!'],
  ['add', { a: 1, b: 2.5 }, '3.5'],
  ['echo', { message: ' as it\ncame ' }, ' as it\ncame '],
])('%s(%j) says %j', async (name, args, text) => {
  const client = await createTestClient(defineServer({ name: 's', version: '1', modules: [basics()] }))
  expect(await client.callTool(name, args)).toMatchObject({
    content: [{ type: 'text', text }],
    isError: false,
  })
})
