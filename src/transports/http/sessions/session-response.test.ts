import { describe, expect, it, vi } from 'vitest'
import { call } from '../../../../test/http/messages.ts'
import { createReader } from '../../../../test/http/reader.ts'
import { AGREED, ANN, createSites, firstOf, openSession, settled } from '../../../../test/http/sites.ts'
import { parse, restore } from '../../../kernel/index.ts'
import type { HttpSettings } from '../settings.ts'
import { SessionResponse } from './session-response.ts'

const BOTH = { accept: 'application/json, text/event-stream' }
const PING = { jsonrpc: '2.0', id: 5, method: 'ping' }
const LEVEL = { jsonrpc: '2.0', id: 6, method: 'logging/setLevel', params: { level: 'error' } }

/** A session with a tool that says something, if it is told what, and is at work until it is told to end. */
async function begin(settings: Partial<HttpSettings> = {}) {
  const created = createSites(1, settings)
  const site = firstOf(created.sites)
  const session = await openSession(site, 's')
  const work = { finish: () => {}, aborted: false }
  site.server.tools.add({
    name: 'work',
    input: { type: 'object', properties: { said: { type: 'string' } } },
    run: ({ said }: { readonly said?: string }, call) => {
      if (said !== undefined) call.log('info', said)
      call.signal.addEventListener('abort', () => {
        work.aborted = true
      })
      return new Promise<string>((resolve) => {
        work.finish = () => resolve('done')
      })
    },
  })
  const post = (body: unknown, headers: { readonly [name: string]: string } = BOTH) => {
    const client = createReader({ headers, body })
    const response = new SessionResponse(session, client.exchange)
    response.receive(parse(JSON.stringify(body), site.server.dialect))
    return { ...client, response }
  }
  return { ...created, site, session, work, post }
}

it('answers in JSON where nothing is said before', async () => {
  const { post, site } = await begin()
  expect(post(PING).answers).toMatchObject([{ status: 200, body: expect.stringContaining('"id":5') }])
  expect(post({ jsonrpc: '2.0', method: 'notifications/initialized' }).answers).toMatchObject([
    { status: 202 },
  ])
  expect(post([PING]).answers).toMatchObject([{ status: 400 }])
  expect(site.places.all.calls).toBe(0)
})

it('takes what nobody waits for also where the session is over', async () => {
  const { post, session } = await begin()
  session.end()
  expect(post({ jsonrpc: '2.0', method: 'notifications/initialized' }).answers).toMatchObject([
    { status: 202 },
  ])
})

describe('a call that takes long', () => {
  it('takes a place, whether its client is there or not', async () => {
    const { post, site, session, work } = await begin()
    const { response, leave, answers } = post(call(1, 'work'))
    expect([site.places.find(ANN)?.calls, session.waiting.size]).toEqual([1, 1])
    expect([response.present, response.working, response.asking]).toEqual([true, 1, 0])
    leave()
    expect([response.present, site.places.away.size]).toEqual([false, 1])
    work.finish()
    await settled()
    expect([site.places.all.calls, session.waiting.size, site.places.away.size]).toEqual([0, 0, 0])
    expect(answers).toMatchObject([{ status: 200, body: expect.stringContaining('done') }])
  })

  it('is not missed by a client that leaves when it has its answer', async () => {
    const { post, site, work } = await begin()
    const { leave } = post(call(1, 'work'))
    work.finish()
    await settled()
    leave()
    expect(site.places.away.size).toBe(0)
  })

  it('is answered on a stream where something was said, and is there for as long as that is heard', async () => {
    const { post, session, work } = await begin()
    const { response, leave, heard, answers } = post(call(1, 'work', { said: 'hello' }))
    expect([heard.length, response.present, session.openStreams]).toEqual([1, true, 1])
    leave()
    expect(response.present).toBe(false)
    const again = createReader()
    session.findStream('1')?.attach(again.exchange, {})
    expect(response.present).toBe(true)
    work.finish()
    await settled()
    expect([again.heard.at(-1), answers]).toEqual(['end', []])
    expect(again.heard.at(-2)).toContain('done')
  })

  it('is given up where others need its place, and says so to who comes back', async () => {
    const { post, session, work } = await begin()
    const { response, leave } = post(call(1, 'work', { said: 'hello' }))
    leave()
    response.giveUp()
    response.giveUp()
    await settled()
    expect(work.aborted).toBe(true)
    const again = createReader()
    session.findStream('1')?.attach(again.exchange, {}, 1)
    await settled()
    expect(again.heard[0]).toContain(
      '"id":1,"error":{"code":-32600,"message":"Service unavailable: the client had left',
    )
    expect(again.heard.filter((one) => one.includes('error'))).toHaveLength(1)
  })
})

it('goes on saying things on the stream that it has, though no further one may be opened', async () => {
  const { post, session, work } = await begin({ maxStreamsPerCaller: 1 })
  const { response, heard } = post(call(1, 'work', { said: 'hello' }))
  expect([response.answersOnly, session.openStreams]).toEqual([false, 1])
  response.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } })
  expect(heard).toHaveLength(2)
  work.finish()
  await settled()
  expect(heard.at(-2)).toContain('done')
})

it('says what is ready of a batch, and what is not, where the session ends', async () => {
  const { post, session } = await begin()
  restore(session.link, { ...AGREED, introduction: { ...AGREED.introduction, revision: '2025-03-26' } })
  const { answers, response } = post([PING, call(1, 'work')])
  expect([response.working, response.asking]).toEqual([1, 0])
  session.end()
  await settled()
  expect(answers).toHaveLength(1)
  expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject([
    { id: 5, result: {} },
    { id: 1, error: { message: expect.stringContaining('the session has ended') } },
  ])
})

describe('who takes no events', () => {
  it.each([
    ['because of what it accepts', {}, { accept: 'application/json' }],
    ['because all its streams are taken', { maxStreamsPerCaller: 0 }, BOTH],
  ])('hears the answer alone, %s', async (_why, settings, headers) => {
    const { post, work } = await begin(settings)
    const { response, heard, answers } = post(call(1, 'work', { said: 'hello' }), headers)
    response.detach()
    expect([response.answersOnly, heard]).toEqual([true, []])
    work.finish()
    await settled()
    expect(answers).toMatchObject([{ status: 200 }])
  })
})

describe('what has been agreed on', () => {
  it('is written down before the client hears that it is', async () => {
    const { post, kept, session } = await begin()
    const { put } = kept
    const release = vi.spyOn(session.link, 'release')
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    kept.put = async (...args) => {
      await gate
      return put.apply(kept, args)
    }
    const { answers } = post(LEVEL)
    await settled()
    expect([answers, release.mock.calls]).toEqual([[], []])
    go()
    await settled()
    expect(answers).toMatchObject([{ status: 200 }])
    expect(release).toHaveBeenCalledOnce()
    expect((await kept.get('session/s'))?.value).toMatchObject({ agreement: { logLevel: 'error' } })
  })

  it('is not waited for by a call that a closing server gives up', async () => {
    const { post, kept, session } = await begin()
    const { answers } = post(call(1, 'work'))
    kept.put = () => new Promise(() => {})
    post(LEVEL)
    session.link.giveUp()
    await settled()
    expect(answers).toMatchObject([{ status: 200, body: expect.stringContaining('is closing') }])
  })

  it('is known here also where it could not be written down', async () => {
    const { post, kept, session } = await begin()
    kept.put = () => Promise.reject(new Error('away'))
    const { answers } = post(LEVEL)
    await settled()
    expect([answers[0]?.status, session.link.logLevel, session.link.unsaved]).toEqual([200, 'error', true])
  })
})
