import { describe, expect, it } from 'vitest'
import { Host } from './host.ts'
import { call, callModern, META, modern, openSession, textOf } from './messages.ts'

const JSON_ONLY = { accept: 'application/json' }

describe('a client that takes JSON and no events', () => {
  it('is answered in JSON, and not told anything before the answer', async () => {
    await using host = await Host.start()
    const meta = { progressToken: 't', [`${META}logLevel`]: 'debug' }
    const modernAnswer = await host.send(
      callModern('big', { bytes: 3, notices: 2 }, { meta, headers: JSON_ONLY }),
    )
    expect(modernAnswer.headers['content-type']).toBe('application/json')
    expect(textOf(modernAnswer.message)).toBe('xxx')
    const session = await openSession(host)
    const answer = await host.send({
      headers: { ...session, ...JSON_ONLY },
      body: call(1, 'big', { bytes: 3, notices: 2 }),
    })
    expect(answer.headers['content-type']).toBe('application/json')
    expect(textOf(answer.message)).toBe('xxx')
  })

  it('is told what to send when a call has to ask it something', async () => {
    await using host = await Host.start()
    const session = await openSession(host, '2025-11-25', { elicitation: {} })
    const answer = await host.send({ headers: { ...session, ...JSON_ONLY }, body: call(1, 'ask') })
    expect(answer.message).toMatchObject({
      id: 1,
      error: {
        code: -32600,
        message: expect.stringContaining('send Accept: application/json, text/event-stream'),
      },
    })
  })

  it('cannot listen', async () => {
    await using host = await Host.start()
    const listen = modern('subscriptions/listen', { notifications: {} }, { headers: JSON_ONLY })
    const answer = await host.send(listen)
    expect(answer.status).toBe(406)
    expect(answer.message.error?.message).toContain(
      'expected Accept: text/event-stream, got "application/json"',
    )
  })
})

it.each([
  [
    'no content type',
    { 'content-type': undefined },
    415,
    'expected Content-Type: application/json, got none',
  ],
  [
    'the content type of a form',
    { 'content-type': 'application/x-www-form-urlencoded' },
    415,
    'expected Content-Type: application/json, got "application/x-www-form-urlencoded"',
  ],
  [
    'an encoded body',
    { 'content-encoding': 'gzip' },
    415,
    'send the body as it is, without Content-Encoding',
  ],
  [
    'an Accept without JSON',
    { accept: 'text/html' },
    406,
    'expected Accept: application/json, text/event-stream, got "text/html"',
  ],
])('a refusal for %s says what to send', async (_name, headers, status, words) => {
  await using host = await Host.start()
  const answer = await host.send(callModern('echo', {}, { headers }))
  expect(answer.status).toBe(status)
  expect(answer.message.error?.message).toContain(words)
})
