import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { createNodeHandler, type TestClient } from '../../src/index.ts'
import { clientOf, endAfterEach, ending, gatewayTo, listen, lookedAt, namesOf, textOf } from './gateway-of.ts'

endAfterEach()

interface Texts {
  readonly [tool: string]: string
}

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-restarted-'))
  ending.push(() => rmSync(folder, { recursive: true }))
})

const has = (tools: Texts) => writeFileSync(join(folder, 'tools.json'), JSON.stringify(tools))
const log = () => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')
const starts = () => log().filter((line) => line === 'started').length
const pins = () => ({ pins: join(folder, 'pins.json') })
const behind = (revision: string) => ({
  command: process.execPath,
  args: [join(import.meta.dirname, 'restarted.mjs'), folder, revision],
})

/** Ends the process that answers a client, as whoever replaces its program may, and waits until that is noticed. */
async function killBehind(client: TestClient): Promise<void> {
  const pid = Number(textOf(await client.callTool('go')))
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 20_000 })
}

const textsOf = async (client: TestClient) =>
  Object.fromEntries((await client.tools()).map(({ name, description }) => [name, description]))

describe.each(['2026-07-28', '2025-11-25'])('a process of %s that is started again', (revision) => {
  it('is noticed to list something else, and clients are told', { timeout: 60_000 }, async () => {
    has({ go: 'goes', read: 'reads', leave: 'leaves' })
    const client = await clientOf(gatewayTo({ behind: behind(revision) }))
    const told: string[] = []
    const listening = await client.listen({ tools: true }, ({ kind }) => told.push(kind))
    await killBehind(client)
    const now = { go: 'goes', read: 'reads, and tells others', stay: 'stays' }
    has(now)
    await client.callTool('go')
    await vi.waitFor(() => expect(told).toContain('tools'), { timeout: 20_000 })
    await vi.waitFor(async () => expect(await textsOf(client)).toEqual(now), { timeout: 20_000 })
    await listening.close()
  })

  it.each([
    ['alone', {}],
    ['shared', { shared: true }],
  ])('has no tool called that has changed since it was approved: %s', { timeout: 60_000 }, async (_, how) => {
    has({ go: 'goes', read: 'reads' })
    const client = await clientOf(gatewayTo({ behind: { ...behind(revision), ...pins(), ...how } }))
    await killBehind(client)
    has({ go: 'goes', read: 'reads, and tells others', stay: 'stays' })
    const [refused, again, other] = await Promise.all([
      client.callTool('read'),
      client.callTool('read'),
      client.callTool('go'),
    ])
    expect(textOf(refused)).toContain('behind: read has changed since it was approved')
    expect(textOf(again)).toContain('behind: read has changed since it was approved')
    expect(other.isError).toBeUndefined()
    expect(await namesOf(client)).toEqual(['go', 'stay'])
    expect(log().filter((line) => line.startsWith('called read'))).toEqual([])
  })

  it('has no tool called while it cannot be found out whether it has changed', {
    timeout: 60_000,
  }, async () => {
    has({ go: 'goes', read: 'reads' })
    const client = await clientOf(gatewayTo({ behind: { ...behind(revision), ...pins() } }))
    await killBehind(client)
    has({ go: 'goes', read: 'reads, and tells others' })
    writeFileSync(join(folder, 'closing'), '')
    expect(textOf(await client.callTool('read'))).toMatch(
      /^behind cannot be reached \(.+\), next try in \d+ s$/,
    )
    rmSync(join(folder, 'closed'))
    const changed = 'behind: read has changed since it was approved'
    await vi.waitFor(async () => expect(textOf(await client.callTool('read'))).toContain(changed), {
      timeout: 20_000,
    })
    expect(log().filter((line) => line.startsWith('called read'))).toEqual([])
  })

  it('takes no other process where it lists the same, in whichever order', { timeout: 60_000 }, async () => {
    has({ go: 'goes', read: 'reads' })
    const gateway = gatewayTo({ behind: { ...behind(revision), ...pins() } })
    const client = await clientOf(gateway)
    await killBehind(client)
    has({ read: 'reads', go: 'goes' })
    await client.callTool('go')
    await lookedAt(gateway)
    expect(starts()).toBe(3) // The one that is nobody's, and the client's two.
    expect(await namesOf(client)).toEqual(['go', 'read'])
  })
})

describe('processes that list less to clients that can do less', { timeout: 60_000 }, () => {
  it('are held against a new one once, however many there are', async () => {
    has({ go: 'goes', ask: 'asks' })
    const gateway = gatewayTo({ behind: { ...behind('2025-11-25'), ...pins() } })
    const clients = await Promise.all([1, 2, 3].map(() => clientOf(gateway, { capabilities: {} })))
    await Promise.all(clients.map((client) => client.callTool('go')))
    expect(starts()).toBe(5) // Theirs, and two that were nobody's.
    for (const client of clients) expect(await namesOf(client)).toEqual(['go', 'ask'])
  })
})

describe('a session with a server that has been replaced', () => {
  it('has no tool called that has changed since it was approved', async () => {
    const called: string[] = []
    const handlerOf = (description: string) => {
      const run = () => {
        called.push(description)
        return 'read'
      }
      const tools = [{ name: 'read', description, run }]
      return createNodeHandler(defineServer({ name: 's', version: '1', tools }), { allowAnonymous: true })
    }
    let handler = handlerOf('reads')
    const url = await listen((request, response) => handler(request, response))
    const gateway = gatewayTo({ behind: { url, revision: '2025-11-25', ...pins() } })
    await (await clientOf(gateway)).callTool('read')
    handler = handlerOf('reads, and tells others')
    const late = await clientOf(gateway)
    expect(textOf(await late.callTool('read'))).toContain('behind: read has changed since it was approved')
    expect(called).toEqual(['reads'])
  })
})
