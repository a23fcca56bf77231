import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { clientOf, endAfterEach, ending, gatewayTo, lookedAt, namesOf, noted, textOf } from './gateway-of.ts'
import { type SilentUpstream, silentUpstream } from './silent-upstream.ts'

endAfterEach()

let pins = ''

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-stale-'))
  pins = join(folder, '.mcp.pins.json')
  ending.push(() => rmSync(folder, { recursive: true }))
})

/** A gateway to it, whose clock is turned by hand. */
async function through({ url }: SilentUpstream, options: { readonly pins?: string } = {}) {
  const gateway = gatewayTo({ behind: { url, ...options } })
  let time = Date.now()
  Object.assign(gateway.platform, { now: () => time })
  const client = await clientOf(gateway, { revision: '2025-11-25' })
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  return { gateway, client, pass }
}

const readings = ({ asked }: SilentUpstream) => asked.filter((method) => method === 'tools/list').length

describe.each(['2025-11-25', '2026-07-28'] as const)('the lists of a silent upstream of %s', (revision) => {
  it('are read again when they have been known for a minute: a pinned tool that has changed is held back', async () => {
    const upstream = await silentUpstream(revision)
    upstream.tools = { go: 'goes' }
    const { client, pass } = await through(upstream, { pins })
    expect(textOf(await client.callTool('go'))).toBe('go here')
    upstream.tools = { go: 'goes and tells others' }
    pass(60_000)
    const called = await Promise.all([client.callTool('go'), client.callTool('go')])
    expect(called.map(textOf).join()).toMatch(/go has changed since it was approved.*go has changed since/)
    expect(upstream.asked.filter((method) => method === 'tools/call')).toHaveLength(1)
    expect(readings(upstream)).toBe(2)
  })

  it('have what is new on them after that, and clients are told', async () => {
    const upstream = await silentUpstream(revision)
    upstream.tools = { go: 'goes' }
    const { client, pass } = await through(upstream)
    upstream.tools = { go: 'goes', stay: 'stays' }
    pass(60_000)
    expect(await namesOf(client)).toEqual(['go'])
    await vi.waitFor(() =>
      expect(client.notices.map(({ method }) => method)).toContain('notifications/tools/list_changed'),
    )
    expect(await namesOf(client)).toEqual(['go', 'stay'])
    expect(readings(upstream)).toBe(2)
    expect(noted).toEqual([])
  })

  it('are read again for a call that does not wait for it', async () => {
    const upstream = await silentUpstream(revision)
    upstream.tools = { go: 'goes' }
    const { gateway, client, pass } = await through(upstream)
    upstream.tools = { go: 'goes', stay: 'stays' }
    pass(60_000)
    expect(textOf(await client.callTool('go'))).toBe('go here')
    await vi.waitFor(() => expect(gateway.tools.has('stay')).toBe(true))
  })

  it('are read once for all who ask at once, and neither before the time nor while nobody asks', async () => {
    const upstream = await silentUpstream(revision)
    upstream.tools = { go: 'goes' }
    const { gateway, client, pass } = await through(upstream, { pins })
    pass(59_999)
    await Promise.all([namesOf(client), client.callTool('go')])
    await lookedAt(gateway)
    expect(readings(upstream)).toBe(1)
    pass(600_000)
    await lookedAt(gateway)
    expect(readings(upstream)).toBe(1)
    await Promise.all([namesOf(client), client.callTool('go'), client.callTool('go'), namesOf(client)])
    await lookedAt(gateway)
    expect(readings(upstream)).toBe(2)
  })

  it('are good for as long as it says, and for a second at least', async () => {
    const upstream = await silentUpstream(revision)
    upstream.tools = { go: 'goes' }
    upstream.beside = { ttlMs: 0, cacheScope: 'private' }
    const { client, pass } = await through(upstream, { pins })
    pass(999)
    await client.callTool('go')
    expect(readings(upstream)).toBe(1)
    upstream.beside = { ttlMs: 3_600_000, cacheScope: 'private' }
    pass(1)
    await client.callTool('go')
    expect(readings(upstream)).toBe(2)
    pass(59_999)
    await client.callTool('go')
    expect(readings(upstream)).toBe(2)
    pass(1)
    await client.callTool('go')
    expect(readings(upstream)).toBe(3)
  })

  it('bring back a tool that is held back when it is called, and is again what it was', async () => {
    const upstream = await silentUpstream(revision)
    upstream.tools = { go: 'goes' }
    const { gateway, client, pass } = await through(upstream, { pins })
    upstream.tools = { go: 'goes and tells others' }
    pass(60_000)
    await client.callTool('go')
    upstream.tools = { go: 'goes' }
    pass(60_000)
    expect(textOf(await client.callTool('go'))).toContain('go has changed')
    await vi.waitFor(() => expect(gateway.tools.has('go')).toBe(true))
  })

  it('are not read again by time where it tells of changes', async () => {
    const upstream = await silentUpstream(revision, { tells: true })
    upstream.tools = { go: 'goes' }
    const { gateway, client, pass } = await through(upstream, { pins })
    pass(600_000)
    await namesOf(client)
    await client.callTool('go')
    await lookedAt(gateway)
    expect(readings(upstream)).toBe(1)
  })
})

it('a long call goes on while others have the lists read again by other connections', async () => {
  const staying: (() => void)[] = []
  const stay = () => new Promise<void>((resolve) => staying.push(resolve))
  const upstream = await silentUpstream('2025-11-25', { before: stay })
  upstream.tools = { go: 'goes' }
  const { gateway, client, pass } = await through(upstream)
  Object.assign(gateway.budgets, { maxUpstreamConnections: 2 })
  const called: Promise<string>[] = []
  for (let rounds = 1; rounds <= 5; rounds++) {
    called.push(client.callTool('go').then(textOf))
    await vi.waitFor(() => expect(staying).toHaveLength(rounds))
    pass(60_000)
    await namesOf(client)
    await vi.waitFor(() => expect(readings(upstream)).toBe(rounds + 1))
    await lookedAt(gateway)
  }
  for (const answer of staying) answer()
  expect(await Promise.all(called)).toEqual(called.map(() => 'go here'))
  expect(gateway.usage.read('maxUpstreamConnections')).toBe(0)
})
