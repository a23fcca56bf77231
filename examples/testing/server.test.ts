import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestClient } from 'perigee/testing'
import server from './server.ts'

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

for (const revision of REVISIONS) {
  test(`multiplies, in ${revision}`, async () => {
    const client = await createTestClient(server, { revision })
    const { content } = await client.callTool('area', { width: 6, height: 7 })
    assert.deepEqual(content, [{ type: 'text', text: '{"area":42}' }])
  })
}

test('says what is wrong with an argument', async () => {
  const client = await createTestClient(server)
  const { content, isError } = await client.callTool('area', { width: 6 })
  assert.equal(isError, true)
  assert.match(JSON.stringify(content), /height/)
})

test('asks before it forgets', async () => {
  const declines = { 'elicitation/create': () => ({ action: 'decline' }) }
  const client = await createTestClient(server, { answers: declines })
  assert.deepEqual((await client.callTool('reset')).content, [{ type: 'text', text: 'Kept' }])
})

test('is seen only as far as scopes go', async () => {
  const client = await createTestClient(server, { principal: { id: 'ann', scopes: ['music'] } })
  assert.deepEqual(
    (await client.tools()).map(({ name }) => name),
    ['reset'],
  )
})
