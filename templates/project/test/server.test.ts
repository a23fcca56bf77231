import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestClient } from 'perigee/testing'
import server from '../server.ts'

test('greets people by their names, and says what is wrong without one', async () => {
  const client = await createTestClient(server)
  const greeted = await client.callTool('hello', { name: 'you' })
  assert.deepEqual(greeted.content, [{ type: 'text', text: 'Hello, you!' }])
  const wrong = await client.callTool('hello', {})
  assert.equal(wrong.isError, true)
})

test('has a motto', async () => {
  const client = await createTestClient(server)
  const { contents } = await client.read('about://motto')
  assert.deepEqual(contents, [{ uri: 'about://motto', mimeType: 'text/plain', text: 'Near is good' }])
})
