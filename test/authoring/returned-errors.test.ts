import { expect, it } from 'vitest'
import { createTestClient, defineServer, Fault } from '../../src/index.ts'

const server = defineServer({
  name: 's',
  version: '1',
  tools: [
    { name: 'plain', run: () => new Error('the shop is closed') },
    { name: 'later', run: async () => new Error('the shop is closed') },
    { name: 'fault', run: () => new Fault('invalidParams', 'Invalid params: no such shop') },
  ],
})

it.each(['plain', 'later'])(
  'an error that a tool returns is its failure, as if it were thrown: %s',
  async (name) => {
    const client = await createTestClient(server)
    expect(await client.callTool(name)).toMatchObject({
      content: [{ type: 'text', text: 'the shop is closed' }],
      isError: true,
    })
  },
)

it('a fault that a tool returns is an error of the protocol', async () => {
  const client = await createTestClient(server)
  await expect(client.callTool('fault')).rejects.toMatchObject({ code: -32602 })
})
