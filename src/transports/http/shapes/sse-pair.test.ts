import { describe, expect, it } from 'vitest'
import { call } from '../../../../test/http/messages.ts'
import { createReader } from '../../../../test/http/reader.ts'
import { ANN, createSites, firstOf, settled } from '../../../../test/http/sites.ts'
import { SlowMotion } from '../../../../test/setup/slow-motion.ts'
import type { Principal } from '../../../kernel/index.ts'
import type { HttpSettings } from '../settings.ts'
import type { HttpSite } from '../site.ts'
import { openPair, postToPair } from './sse-pair.ts'

const BOB: Principal = { id: 'bob' }
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

async function open(site: HttpSite, principal: Principal = ANN) {
  const client = createReader({ headers: { accept: 'text/event-stream' } })
  openPair(site, client.exchange, { principal, messages: '/messages' })
  await settled()
  const [, id = ''] = /sessionId=(.*)$/.exec(client.heard.shift() ?? '') ?? []
  return { ...client, id }
}

async function post(site: HttpSite, id: string, body: unknown, principal: Principal = ANN) {
  const headers = { 'content-type': 'application/json' }
  const client = createReader({ headers, query: `sessionId=${id}`, body })
  postToPair(site, client.exchange, principal)
  await settled()
  return client.answers.map((answer) => [answer.status, answer.body])[0]
}

const ACCEPTED = [202, 'Accepted']
const NO_PAIR = [404, expect.stringContaining('there is no such session')]

/** A tool that is at work until it is told to end. */
function addWork({ server }: HttpSite) {
  let finish = () => {}
  const run = () =>
    new Promise<string>((resolve) => {
      finish = () => resolve('done')
    })
  server.tools.add({ name: 'work', run })
  return () => finish()
}

describe('the pair of a server that is alone', () => {
  it('takes a place while its client listens, and leaves nothing behind', async () => {
    const { sites, kept } = createSites(1)
    const site = firstOf(sites)
    const { id, leave, headers } = await open(site)
    expect(headers).toMatchObject({ 'content-type': 'text/event-stream' })
    expect(id).not.toContain('.')
    expect(await kept.get(`pair/${id}`)).toBe(undefined)
    expect([site.pairs.size, site.places.all.sessions, site.places.find(ANN)?.streams]).toEqual([1, 1, 1])
    leave()
    await settled()
    expect([site.pairs.size, site.places.all.sessions, site.places.find(ANN)]).toEqual([0, 0, undefined])
    expect(await kept.enter('sessions', 'another', { ttlMs: 1, limit: 1 })).toBe(true)
  })

  it('is over where the store cannot be told so, and the operator hears of that', async () => {
    const { sites, kept, observed } = createSites(1)
    const site = firstOf(sites)
    const { leave } = await open(site)
    kept.leave = () => Promise.reject(new Error('away'))
    leave()
    await settled()
    expect(site.pairs.size).toBe(0)
    const crashed = observed.filter(({ kind }) => kind === 'crashed')
    expect(crashed).toMatchObject([{ method: 'sessions', error: { message: 'away' } }])
  })

  it('may do what its client proves with each message, no more and no less', async () => {
    const site = firstOf(createSites(1).sites)
    site.server.tools.add({ name: 'closed', scopes: ['key'], run: () => 'done' })
    const without: Principal = { id: 'ann', scopes: [] }
    const { id, heard } = await open(site, without)
    const ask = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'closed', arguments: {} } }
    const handshake = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }
    await post(site, id, { jsonrpc: '2.0', id: 0, method: 'initialize', params: handshake }, without)
    await post(site, id, { jsonrpc: '2.0', method: 'notifications/initialized' }, without)
    heard.length = 0
    for (const scopes of [[], ['key'], []]) await post(site, id, ask, { id: 'ann', scopes })
    expect(heard.map((event) => /"done"/.test(event))).toEqual([false, true, false])
  })

  it('is answered on its stream, and nobody else can speak for its client', async () => {
    const site = firstOf(createSites(1).sites)
    const { id, heard } = await open(site)
    expect(await post(site, id, PING)).toEqual(ACCEPTED)
    expect(heard).toEqual(['event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}'])
    expect(await post(site, id, PING, BOB)).toEqual(NO_PAIR)
    expect(await post(site, `${id}9`, PING)).toEqual(NO_PAIR)
    expect(await post(site, `0123456789.${id}`, PING)).toEqual(NO_PAIR)
    expect(heard).toHaveLength(1)
  })

  it('is not opened where a caller has all its streams, or all its sessions', async () => {
    const site = firstOf(createSites(1, { maxStreamsPerCaller: 1 }).sites)
    await open(site)
    expect((await open(site)).answers).toMatchObject([{ status: 429 }])
    expect((await open(site, BOB)).answers).toEqual([])
    const other = firstOf(createSites(1, { maxSessionsPerCaller: 1 }).sites)
    await open(other)
    expect((await open(other)).answers).toMatchObject([{ status: 429 }])
    expect([other.pairs.size, other.places.all.streams]).toEqual([1, 1])
  })

  it('has room for so many calls, and again when they are answered', async () => {
    const site = firstOf(createSites(1, { maxCallsPerCaller: 1 }).sites)
    const finish = addWork(site)
    const { id, heard } = await open(site)
    await post(site, id, { jsonrpc: '2.0', id: 0, method: 'initialize', params: HELLO })
    await post(site, id, call(1, 'work'))
    expect(site.places.find(ANN)?.calls).toBe(1)
    const [status, body] = (await post(site, id, PING)) ?? []
    expect([status, JSON.parse(String(body)).id]).toEqual([429, 1])
    finish()
    await settled()
    expect([site.places.all.calls, heard.at(-1)]).toEqual([0, expect.stringContaining('done')])
    expect(await post(site, id, PING)).toEqual(ACCEPTED)
  })

  it('ends with its server', async () => {
    const site = firstOf(createSites(1).sites)
    const { id, heard } = await open(site)
    site.pairs.get(id)?.end()
    await settled()
    expect([heard, site.pairs.size, site.places.all.sessions]).toEqual([['end'], 0, 0])
  })
})

const HELLO = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

describe('the pair of a node', () => {
  async function share(settings: Partial<HttpSettings> = {}) {
    const created = createSites(2, settings)
    const [a, b] = created.sites as [HttpSite, HttpSite] // Two, as asked for.
    await Promise.all([a.node?.open(), b.node?.open()])
    await created.wait(6000)
    return { ...created, a, b, ...(await open(a)) }
  }

  it('is spoken to by way of the other, by its own client alone', async () => {
    const { a, b, kept, id, heard } = await share()
    expect(id.startsWith(`${a.node?.id}.`)).toBe(true)
    expect((await kept.get(`pair/${id}`))?.value).toBe('ann')
    expect(await post(b, id, PING)).toEqual(ACCEPTED)
    expect(heard).toEqual(['event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}'])
    expect(await post(b, id, PING, BOB)).toEqual(NO_PAIR)
    expect(await post(b, `${id}9`, PING)).toEqual(NO_PAIR)
    expect(await post(b, `0123456789.${id}`, PING)).toEqual(NO_PAIR)
    expect(await post(b, id, '{')).toEqual([400, expect.stringContaining('-32700')])
    expect(heard).toHaveLength(1)
  })

  it('is known to the other when its client hears where to speak, and not before', async () => {
    const { a } = await share()
    const slow = new SlowMotion().slowStore(a.store)
    const client = createReader({ headers: { accept: 'text/event-stream' } })
    openPair(a, client.exchange, { principal: ANN, messages: '/messages' })
    while (!slow.underWay.includes('put pair/…')) await new Promise(setImmediate)
    await settled()
    expect(client.heard).toEqual([])
    await slow.rest()
    expect(client.heard).toHaveLength(1)
  })

  it('is not found any more when its client has left', async () => {
    const { b, kept, id, leave } = await share()
    leave()
    await settled()
    expect(await kept.get(`pair/${id}`)).toBe(undefined)
    expect(await post(b, id, PING)).toEqual(NO_PAIR)
  })

  it('says on its stream that there is no room, where the other node could not know', async () => {
    const { a, b, id, heard } = await share({ maxCallsPerCaller: 1 })
    const finish = addWork(a)
    await post(b, id, { jsonrpc: '2.0', id: 0, method: 'initialize', params: HELLO })
    await post(b, id, call(1, 'work'))
    expect(await post(b, id, PING)).toEqual(ACCEPTED)
    expect(heard.at(-1)).toContain('"id":1,"error":{"code":-32600,"message":"Too many requests')
    finish()
    await settled()
    expect([heard.at(-1), a.places.all.calls]).toEqual([expect.stringContaining('done'), 0])
  })

  it('is kept for as long as its client listens', async () => {
    const { a, kept, id, pass } = await share()
    const touch = async () => {
      a.pairs.get(id)?.touch?.(a.server.platform.now())
      await settled()
    }
    pass(2499)
    await touch()
    pass(7501)
    expect(await kept.get(`pair/${id}`)).toBe(undefined)
    await touch()
    expect((await kept.get(`pair/${id}`))?.value).toBe('ann')
    pass(2500)
    await touch()
    pass(12_499)
    expect(await kept.get(`pair/${id}`)).toBeDefined()
  })

  it('is kept once every quarter of its time', async () => {
    const { a, id, pass } = await share()
    let touches = 0
    const { touch } = a.store
    const counted = (...args: Parameters<typeof touch>) => {
      touches++
      return touch.apply(a.store, args)
    }
    Object.assign(a.store, { touch: counted })
    for (const milliseconds of [2500, 0, 2499, 1]) {
      pass(milliseconds)
      a.pairs.get(id)?.touch?.(a.server.platform.now())
    }
    expect(touches).toBe(2)
  })
})
