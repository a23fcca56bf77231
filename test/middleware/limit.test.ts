import { expect, it } from 'vitest'
import { connect, type ErrorReply } from '../../src/client/index.ts'
import {
  apiKeys,
  createTestClient,
  defineServer,
  jsonLines,
  prometheus,
  rateLimit,
  serveHttp,
  telemetry,
} from '../../src/index.ts'
import { ScopedSite } from '../auth/site.ts'

const authenticator = apiKeys({
  keys: ['alice', 'bob'].map((name) => ({ name, key: `key-of-${name}` })),
})
const as = (name: string) => ({ authorization: `Bearer key-of-${name}` })
const HELLO = { name: 'hello' }

it('a caller that calls too often is told when to come back', async () => {
  await using site = await ScopedSite.open({ authenticator }, [rateLimit({ perMinute: 2 })])
  const call = () => site.modern('tools/call', HELLO, as('alice'))
  expect([(await call()).status, (await call()).status]).toEqual([200, 200])
  const answer = await call()
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(30)
  expect(answer.body).toMatchObject({ id: 1, error: { code: 429 } })
  expect(site.ran).toHaveLength(2)
})

it('holds for a caller in all of its sessions, and for nobody else', async () => {
  await using site = await ScopedSite.open({ authenticator }, [rateLimit({ perMinute: 1 })])
  const call = async (name: string) => site.within(await site.open(as(name)), 'tools/call', HELLO, as(name))
  expect((await call('alice')).status).toBe(200)
  const answer = await call('alice')
  expect(answer.status).toBe(429)
  expect(answer.headers.get('retry-after')).not.toBeNull()
  expect((await site.modern('tools/call', HELLO, as('alice'))).status).toBe(429)
  expect((await call('bob')).status).toBe(200)
})

it('lets a caller look at the lists all the same', async () => {
  await using site = await ScopedSite.open({ authenticator }, [rateLimit({ perMinute: 1 })])
  await site.modern('tools/call', HELLO, as('alice'))
  expect((await site.modern('tools/list', {}, as('alice'))).status).toBe(200)
})

it('callers that nobody knows share one limit', async () => {
  await using site = await ScopedSite.open({}, [rateLimit({ perMinute: 1 })])
  expect((await site.modern('tools/call', HELLO)).status).toBe(200)
  expect((await site.modern('tools/call', HELLO)).status).toBe(429)
})

it('tells of refusals at warning, ten lines a minute of each status, and counts them all', async () => {
  const lines: { readonly level: string; readonly event: string; readonly status?: number }[] = []
  const metrics = prometheus()
  const sinks = [
    jsonLines({ write: (line) => lines.push(JSON.parse(line) as (typeof lines)[number]), level: 'notice' }),
    metrics,
  ]
  const server = defineServer({
    name: 'limited',
    version: '1',
    tools: [{ name: 'secret', scopes: ['admin'], run: () => 'hi' }],
    resources: [{ uri: 'a:b', name: 'b', read: () => 'hi' }],
    modules: [telemetry({ sinks })],
    middleware: [rateLimit({ perMinute: 1, methods: ['resources/read'] })],
  })
  const keys = [{ name: 'ann', key: 'k', scopes: [] }]
  const listening = await serveHttp(server, { authenticator: apiKeys({ keys }), greeting: 'none' })
  const client = await connect(listening.url, { headers: { authorization: 'Bearer k' } })
  const codes: unknown[] = []
  const often = async (ask: () => Promise<unknown>) => {
    for (let at = 0; at < 13; at++) await ask().catch(({ code }: ErrorReply) => codes.push(code))
  }
  await often(() => client.callTool('secret'))
  await often(() => client.read('a:b'))
  await client.close()
  await listening.close(0)
  expect(codes).toEqual([...Array(13).fill(403), ...Array(12).fill(429)])
  const away = (status: number) =>
    Array(10).fill(expect.objectContaining({ level: 'warning', event: 'turned-away', status }))
  expect(lines).toEqual([...away(403), ...away(429)])
  expect(metrics.render()).toContain('mcp_server_refusals_total{reason="http",code="403"} 13')
  expect(metrics.render()).toContain('mcp_server_refusals_total{reason="http",code="429"} 12')
})

it('tells of them at warning where no status says so', async () => {
  const lines: string[] = []
  const metrics = prometheus()
  const log = jsonLines({ write: (line) => void lines.push(line), level: 'notice' })
  const server = defineServer({
    name: 'limited',
    version: '1',
    tools: [{ name: 'echo', run: () => 'hi' }],
    modules: [telemetry({ sinks: [log, metrics] })],
    middleware: [rateLimit({ perMinute: 1 })],
  })
  const client = await createTestClient(server)
  for (let at = 0; at < 14; at++) await client.callTool('echo').catch(() => {})
  expect(lines).toHaveLength(10)
  for (const line of lines) expect(line).toContain('"level":"warning","event":"completed"')
  expect(metrics.render()).toContain('mcp_server_refusals_total{reason="refused",code="429"} 13')
})
