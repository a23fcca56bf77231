import { describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import type { Server } from '../../src/kernel/index.ts'
import { siblingsOf } from '../../src/modules/upstream/siblings.ts'
import { clientOf, endAfterEach, gatewayTo, namesOf, textOf } from './gateway-of.ts'

endAfterEach()

function having(name: string, ...tools: readonly string[]): Server {
  const server = defineServer({ name, version: '1', tools: [] })
  for (const tool of tools) server.tools.add({ name: tool, run: () => `${tool} of ${name}` })
  return server
}

const leftOutOf = (gateway: Server) => [...siblingsOf(gateway)].map(({ state }) => state.leftOut.length)

describe('what an upstream has left out for its name', () => {
  it('is served when the tool of another one that had it is gone, of several by the first of the configuration', async () => {
    const servers = ['one', 'two', 'three'].map((name) => having(name, 'say', name))
    const [one, two, three] = servers.map((server) => ({ server, prefix: '' }))
    const gateway = gatewayTo({ one, two, three } as never)
    const client = await clientOf(gateway)
    expect(await namesOf(client)).toEqual(['say', 'one', 'two', 'three'])
    expect(leftOutOf(gateway)).toEqual([0, 1, 1])
    servers[0]?.tools.remove('say')
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['one', 'say', 'two', 'three']))
    expect(textOf(await client.callTool('say'))).toBe('say of two')
    expect(leftOutOf(gateway)).toEqual([0, 0, 1])
    servers[1]?.tools.remove('say')
    await vi.waitFor(async () => expect(textOf(await client.callTool('say'))).toBe('say of three'))
    expect(leftOutOf(gateway)).toEqual([0, 0, 0])
  })

  it('is served when whoever has a better claim to it gives that up', async () => {
    const [given, other] = [having('given', 'speak'), having('other', 'say')]
    const gateway = gatewayTo({
      other: { server: other, prefix: '' },
      given: { server: given, prefix: '', rename: { speak: 'say' } },
    })
    const client = await clientOf(gateway)
    expect(textOf(await client.callTool('say'))).toBe('speak of given')
    given.tools.remove('speak')
    await vi.waitFor(async () => expect(textOf(await client.callTool('say'))).toBe('say of other'))
    expect(leftOutOf(gateway)[0]).toBe(0)
  })

  it('is served when it is a prompt or a template', async () => {
    const servers = ['one', 'two'].map((name) => {
      const server = having(name)
      server.prompts.add({ name: 'ask', render: () => `ask of ${name}` })
      server.templates.add({ uriTemplate: 'note://{id}', name: 'note', read: () => `note of ${name}` })
      return server
    })
    const [one, two] = servers.map((server) => ({ server, prefix: '' }))
    const gateway = gatewayTo({ one, two } as never)
    await clientOf(gateway)
    expect(leftOutOf(gateway)).toEqual([0, 2])
    servers[0]?.prompts.remove('ask')
    servers[0]?.templates.remove('note://{id}')
    await vi.waitFor(() => expect(leftOutOf(gateway)).toEqual([0, 0]))
    expect([gateway.prompts.has('ask'), gateway.templates.has('note://{id}')]).toEqual([true, true])
  })
})
