import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { connect } from '../../src/client/index.ts'
import { createNodeHandler, type TestClient } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { upstreams } from '../../src/modules/upstream/index.ts'
import { FakeServer, handshakes, json, result } from '../client/hostile.ts'
import {
  clientOf,
  endAfterEach,
  ending,
  gatewayTo,
  listen,
  lookedAt,
  noted,
  observe,
  textOf,
} from './gateway-of.ts'

endAfterEach()

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-telling-'))
  ending.push(() => rmSync(folder, { recursive: true }))
})

const telling = (revision: string) => ({
  command: process.execPath,
  args: [join(import.meta.dirname, 'telling.mjs'), folder, revision],
})

const having = (name: string) =>
  defineServer({
    name,
    version: '1',
    resources: [{ uri: `${name}://listed`, name: 'listed', subscribable: true, read: () => 'listed' }],
    templates: [
      { uriTemplate: `${name}://{thing}`, name, subscribable: true, read: ({ thing }) => String(thing) },
    ],
  })

/** Has clocks that take long ring when the test says so. */
function holdClocks({ platform }: Server, leastMs = 5000): () => void {
  const rings = new Set<() => void>()
  const { after } = platform
  const held = (milliseconds: number, run: () => void) => {
    if (milliseconds < leastMs) return after(milliseconds, run)
    rings.add(run)
    return () => void rings.delete(run)
  }
  Object.assign(platform, { after: held })
  return () => {
    for (const ring of [...rings]) ring()
  }
}

/** Changes what is listened to, and gives the process that has done so. */
const change = async (client: TestClient) => Number(textOf(await client.callTool('change')))

async function killBehind(client: TestClient): Promise<number> {
  const pid = await change(client)
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 20_000 })
  return pid
}

describe.each(['2025-11-25', '2026-07-28'])('a subscription at a process of %s that has died', (spoken) => {
  it.each(['2025-11-25', '2026-07-28'])(
    'is made again at the next one for a client of %s',
    async (revision) => {
      const client = await clientOf(gatewayTo({ behind: telling(spoken) }), { revision })
      const told: string[] = []
      const listening = await client.subscribe('x://a', (uri) => told.push(uri))
      const pid = await killBehind(client)
      await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 60_000 }) // It may have changed meanwhile.
      expect(await change(client)).not.toBe(pid)
      await vi.waitFor(() => expect(told).toHaveLength(3))
      await listening.close()
    },
  )

  it('is made by whoever asks for it once more, who is told where it cannot be', async () => {
    const gateway = gatewayTo({ behind: telling(spoken) })
    const client = await clientOf(gateway, { revision: '2025-11-25' })
    const told: string[] = []
    await client.subscribe('x://a', (uri) => told.push(uri))
    const ring = holdClocks(gateway)
    writeFileSync(join(folder, 'closed'), '')
    await killBehind(client)
    await expect(client.request('resources/subscribe', { uri: 'x://a' })).rejects.toThrow('behind')
    rmSync(join(folder, 'closed'))
    await expect.poll(() => client.request('resources/subscribe', { uri: 'x://a' })).toEqual({})
    ring()
    const before = told.length
    await change(client)
    await expect.poll(() => told.length).toBeGreaterThan(before)
  })
})

it('whoever has a process that runs can call by it, though nobody could be reached a moment ago', async () => {
  const gateway = gatewayTo({ behind: telling('2025-11-25') })
  const first = await clientOf(gateway)
  await change(first)
  holdClocks(gateway, 500) // It is not tried again by itself.
  writeFileSync(join(folder, 'closed'), '')
  await killBehind(first)
  await first.callTool('change')
  await expect.poll(() => noted.join()).toMatch(/behind cannot be reached .*, next try in/)
  rmSync(join(folder, 'closed'))
  const second = await clientOf(gateway, { principal: { id: 'second' } })
  const told: string[] = []
  await second.subscribe('x://a', (uri) => told.push(uri))
  expect(await change(second)).toBeGreaterThan(0)
  await expect.poll(() => told).toEqual(['x://a'])
})

it.each(['2025-11-25', '2026-07-28'])('nothing is kept of a client of %s that has left', async (revision) => {
  const set = vi.spyOn(Map.prototype, 'set')
  ending.push(() => vi.restoreAllMocks())
  const url = await listen(createNodeHandler(having('left'), { allowAnonymous: true }))
  const gateway = gatewayTo({ left: { url, revision: '2025-11-25' } })
  await gateway.start()
  await lookedAt(gateway)
  const ring = holdClocks(gateway)
  const address = await listen(createNodeHandler(gateway, { allowAnonymous: true }))
  const client = await connect(address, { revision, info: { name: 'somebody', version: '1' } })
  await (await client.subscribe('left://listed', () => {})).close()
  await client.close()
  const holders = set.mock.calls.flatMap(([key], at) => {
    const map = set.mock.contexts[at] as Map<unknown, unknown>
    return typeof key === 'string' && /^(?:caller|session) /.test(key) ? [{ key, map }] : []
  })
  expect(holders.length).toBeGreaterThan(0)
  const kept = () => {
    ring()
    return holders.filter(({ key, map }) => map.has(key)).map(({ key }) => key)
  }
  await expect.poll(kept).toEqual([])
})

it('a subscription that was made again is not ended with the one before', async () => {
  const left = having('left')
  const url = await listen(createNodeHandler(left, { allowAnonymous: true }))
  const gateway = gatewayTo({ left: { url, revision: '2025-11-25' } })
  const client = await clientOf(gateway, { revision: '2025-11-25' })
  const ring = holdClocks(gateway)
  const told: string[] = []
  await (await client.subscribe('left://listed', () => {})).close()
  const listening = await client.subscribe('left://listed', (uri) => told.push(uri))
  ring()
  left.updated('left://listed')
  await vi.waitFor(() => expect(told).toEqual(['left://listed']))
  await listening.close()
})

it('a subscription at an upstream that has become another is made by whoever asks for it once more', async () => {
  const left = having('left')
  const url = await listen(createNodeHandler(left, { allowAnonymous: true }))
  let prefix = 'a_'
  let changed = () => {}
  const source = {
    read: () => ({ left: { url, prefix } }),
    watch: (tell: () => void) => {
      changed = tell
      return () => {}
    },
  }
  const modules = [upstreams('upstreams', source)]
  const gateway = defineServer({ name: 'gateway', version: '1', modules, observe, reports: true })
  ending.push(() => gateway.close())
  const client = await clientOf(gateway, { revision: '2025-11-25' })
  const told: string[] = []
  const listening = await client.subscribe('left://listed', (uri) => told.push(uri))
  const ring = holdClocks(gateway)
  prefix = 'b_'
  changed()
  await vi.waitFor(() => expect(noted.join()).toContain('left has changed'), { timeout: 20_000 })
  await client.request('resources/subscribe', { uri: 'left://listed' })
  ring()
  left.updated('left://listed')
  await vi.waitFor(() => expect(told).toEqual(['left://listed']))
  await listening.close()
})

it('an upstream that does not answer keeps nobody from hearing of what another one has', async () => {
  const open = new Set<ServerResponse>()
  const silent = await FakeServer.open((heard, response) => {
    if (handshakes(heard, response)) return
    const { id, method } = heard.message
    if (method !== 'resources/subscribe')
      return json(response, result(id, { tools: [], resources: [], resourceTemplates: [] }))
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  ending.push(() => silent[Symbol.asyncDispose]())
  const right = having('right')
  const url = await listen(createNodeHandler(right, { allowAnonymous: true }))
  const gateway = gatewayTo({ silent: { url: silent.url }, right: { url } })
  const client = await clientOf(gateway, { revision: '2025-11-25' })
  gateway.templates.remove('right://{thing}')
  const told: string[] = []
  const listening = await client.subscribe('right://cup', (uri) => told.push(uri))
  expect(open.size).toBe(1)
  right.updated('right://cup')
  await vi.waitFor(() => expect(told).toEqual(['right://cup']))
  await listening.close()
})
