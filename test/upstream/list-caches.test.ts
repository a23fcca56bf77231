import { describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createTestClient } from '../../src/index.ts'
import { clientOf, endAfterEach, gatewayTo } from './gateway-of.ts'
import { silentUpstream } from './silent-upstream.ts'

endAfterEach()

const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']

const saying = (ttlMs: number, cacheScope: 'public' | 'private') =>
  defineServer({
    name: 's',
    version: '1',
    listCache: { ttlMs, cacheScope },
    tools: [{ name: 'go', run: () => '' }],
    prompts: [{ name: 'ask', render: () => '' }],
    resources: [{ uri: 'a://b', name: 'b', read: () => '' }],
  })

const silent = async () => {
  const upstream = await silentUpstream('2025-11-25')
  upstream.tools = { stay: 'stays' }
  return { url: upstream.url }
}

describe('how long lists keep that others have', () => {
  it('is what the one server behind says, of each of them', async () => {
    const server = saying(0, 'private')
    const direct = await createTestClient(server)
    const client = await clientOf(gatewayTo({ behind: { server } }))
    for (const list of LISTS) {
      expect(await client.request(list), list).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
      expect(await direct.request(list), list).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
    }
    const long = await clientOf(gatewayTo({ behind: { server: saying(3_600_000, 'public') } }))
    expect(await long.request('tools/list')).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' })
  })

  it('is the shortest of several, and for one caller alone where one of them says so', async () => {
    const gateway = gatewayTo({
      a: { server: saying(5000, 'public') },
      b: { server: saying(70_000, 'private') },
      c: await silent(),
    })
    const client = await clientOf(gateway)
    expect(await client.request('tools/list')).toMatchObject({ ttlMs: 5000, cacheScope: 'private' })
  })

  it('is at most what holds here where another one says nothing', async () => {
    const client = await clientOf(gatewayTo({ a: { server: saying(70_000, 'public') }, b: await silent() }))
    expect(await client.request('tools/list')).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' })
  })

  it('is what holds here where nobody says anything', async () => {
    const client = await clientOf(gatewayTo({ behind: await silent() }))
    expect(await client.request('tools/list')).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' })
  })
})
