import { expect, it } from 'vitest'
import { createTestClient, defineServer, defineTool, elicit, needs } from '../../src/index.ts'

const schema = { type: 'object', properties: { more: { type: 'boolean' } } }

it.each(['2025-11-25', '2026-07-28'])('a tool that never stops asking is stopped in %s', async (revision) => {
  let asked = 0
  const insatiable = defineTool({
    name: 'insatiable',
    run: () => needs({ more: elicit({ message: 'More?', schema }) }),
  })
  const answers = {
    'elicitation/create': () => {
      asked++
      return { action: 'accept', content: { more: true } }
    },
  }
  const server = defineServer({ name: 's', version: '1', tools: [insatiable] })
  const client = await createTestClient(server, { revision, answers })
  const outcome = await client.callTool('insatiable').catch(String)
  expect(JSON.stringify(outcome)).toMatch(/still asking after 20 rounds/i)
  expect(asked).toBe(20)
})

it('speaks as whoever it is told to be', async () => {
  const whoami = defineTool({ name: 'whoami', run: (_args, call) => call.principal?.id ?? 'nobody' })
  const secret = defineTool({ name: 'secret', scopes: ['vault'], run: () => 'gold' })
  const server = defineServer({ name: 's', version: '1', tools: [whoami, secret] })
  const ann = await createTestClient(server, { principal: { id: 'ann', scopes: [] } })
  expect((await ann.callTool('whoami')).content).toEqual([{ type: 'text', text: 'ann' }])
  await expect(ann.callTool('secret')).rejects.toThrow('Insufficient scope: this needs vault')
  const bob = await createTestClient(server, { principal: { id: 'bob', scopes: ['vault'] } })
  expect((await bob.callTool('secret')).isError).toBe(false)
  expect((await (await createTestClient(server)).callTool('whoami')).content).toEqual([
    { type: 'text', text: 'nobody' },
  ])
})

it('gives a typed result', async () => {
  const server = defineServer({ name: 's', version: '1', tools: [{ name: 't', run: () => ({ sum: 42 }) }] })
  const { content, structuredContent, isError } = await (await createTestClient(server)).callTool('t')
  const [first] = content
  expect(first?.type === 'text' ? first.text : undefined).toBe('{"sum":42}')
  expect([structuredContent, isError]).toEqual([{ sum: 42 }, false])
})

it('names the revisions there are to whoever wants another', async () => {
  const server = defineServer({ name: 's', version: '1' })
  await expect(createTestClient(server, { revision: '2025-01-01' })).rejects.toThrow(
    /there is no revision 2025-01-01\. Expected one of .*2024-11-05/,
  )
})
