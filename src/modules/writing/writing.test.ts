import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient } from '../../client/test-client.ts'
import { writing } from './index.ts'

it.each([
  ['greet', { name: 'Ann' }, 'Please greet Ann warmly'],
  ['summarize', { text: 'Long.' }, 'Please summarize the following text:\nLong.'],
  ['code_review', { code: 'x = 1' }, 'Please review this code:\nx = 1'],
  ['code_review', { code: 'x = 1', language: 'Python' }, 'Please review this Python code:\nx = 1'],
])('%s(%j)', async (name, args, text) => {
  const client = await createTestClient(defineServer({ name: 's', version: '1', modules: [writing()] }))
  expect(await client.request('prompts/get', { name, arguments: args })).toMatchObject({
    messages: [{ role: 'user', content: { type: 'text', text } }],
  })
})
