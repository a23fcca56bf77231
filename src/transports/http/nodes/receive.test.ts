import { describe, expect, it, vi } from 'vitest'
import { createReader } from '../../../../test/http/reader.ts'
import { ANN, createSites, openSession, settled } from '../../../../test/http/sites.ts'
import { openPair } from '../shapes/sse-pair.ts'
import type { HttpSite } from '../site.ts'
import { logOf, OVER } from '../streams/logged-events.ts'
import { receiveFromNode } from './receive.ts'

const NOTICE = { jsonrpc: '2.0', method: 'notice' } as const

async function begin() {
  const created = createSites(2)
  const [site] = created.sites as [HttpSite, HttpSite] // Two, as asked for.
  await site.node?.open()
  return { ...created, site, session: await openSession(site, 's') }
}

describe('what a client of a pair has posted elsewhere', () => {
  it('is taken for whose pair it is, and for nobody else', async () => {
    const { site } = await begin()
    const client = createReader({ headers: { accept: 'text/event-stream' } })
    openPair(site, client.exchange, { principal: ANN, messages: '/messages' })
    await settled()
    const [pair = ''] = [...site.pairs.keys()]
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const post = (name: string, id: string) =>
      receiveFromNode(site, { kind: 'pair', pair: name, principal: { id }, body })
    expect([post(pair, 'bob'), post('another', 'ann'), client.heard.length]).toEqual([false, false, 1])
    expect([post(pair, 'ann'), client.heard.length]).toEqual([true, 2])
  })
})

describe('a stream that is read elsewhere', () => {
  it('is left to whoever reads it, where it is here', async () => {
    const { site, session } = await begin()
    const { exchange, heard } = createReader()
    const stream = session.openStream(exchange, undefined, undefined)
    expect(receiveFromNode(site, { kind: 'moved', session: 's', stream: stream.id })).toBe(true)
    expect(heard).toEqual(['end'])
  })

  it('is said to be over, where it is not here any more', async () => {
    const { site, kept } = await begin()
    const said: unknown[] = []
    await kept.subscribe(logOf('s', '9'), (one) => void said.push(one))
    expect(receiveFromNode(site, { kind: 'moved', session: 's', stream: '9' })).toBe(false)
    expect(receiveFromNode(site, { kind: 'moved', session: 'unknown', stream: '9' })).toBe(false)
    await settled()
    expect(said).toEqual([OVER])
  })

  it('is told to the operator where the store cannot say that it is over', async () => {
    const { site } = await begin()
    const error = new Error('the store is away')
    const observe = vi.spyOn(site.server, 'observe')
    vi.spyOn(site.store, 'publish').mockRejectedValueOnce(error)
    expect(receiveFromNode(site, { kind: 'moved', session: 's', stream: '9' })).toBe(false)
    await settled()
    expect(observe).toHaveBeenCalledExactlyOnceWith({ kind: 'crashed', error, method: 'stream' })
  })
})

describe('what is said of a session', () => {
  it('is heard where it is in use, and makes no difference elsewhere', async () => {
    const { site, session } = await begin()
    const { exchange, heard } = createReader()
    await session.standalone.open(exchange, {})
    await settled()
    expect(receiveFromNode(site, { kind: 'notice', session: 's', message: NOTICE })).toBe(true)
    expect(heard).toEqual([`id: 0:1\ndata: ${JSON.stringify(NOTICE)}`])
    expect(receiveFromNode(site, { kind: 'notice', session: 'unknown', message: NOTICE })).toBe(true)
    receiveFromNode(site, { kind: 'held', session: 's', by: '0123456789' })
    expect([heard.at(-1), session.standalone.connected]).toEqual(['end', false])
    expect(site.places.unused(ANN)).toBe('s')
    receiveFromNode(site, { kind: 'used', session: 's' })
    expect(site.places.unused(ANN)).toBe(undefined)
    receiveFromNode(site, { kind: 'ended', session: 's' })
    expect([session.link.state, site.sessions.has('s')]).toEqual(['closed', false])
  })

  it('cancels a call that is at work here', async () => {
    const { site, session } = await begin()
    let aborted = false
    const run = (_args: never, { signal }: { readonly signal: AbortSignal }) => {
      signal.addEventListener('abort', () => {
        aborted = true
      })
      return new Promise(() => {})
    }
    site.server.tools.add({ name: 'work', run })
    const work = {
      kind: 'request',
      id: 1,
      method: 'tools/call',
      params: { name: 'work' },
      length: 2,
    } as const
    session.link.receive(work, () => {})
    const message = {
      kind: 'notification',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    } as const
    receiveFromNode(site, { kind: 'posted', session: 's', message })
    expect(aborted).toBe(true)
  })
})
