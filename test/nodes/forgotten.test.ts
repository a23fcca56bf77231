import { describe, expect, it } from 'vitest'
import { call, getStream, openSession, textOf } from '../http/messages.ts'
import type { Talk } from '../http/sample.ts'
import { TwoNodes } from './two-nodes.ts'

const NOT_KEPT = 'Bad request: Last-Event-ID: the answer after it is not kept any more'

/** A call on the first node that has said something, and whose client has lost its connection. */
async function loseCall({ a }: TwoNodes, headers: { readonly 'mcp-session-id': string }) {
  const coming = a.stream({ headers, body: call(1, 'talk', {}, { progressToken: 1 }) })
  const talk: Talk = await a.talk()
  talk.call.progress(1)
  const events = await coming
  await events.next()
  events.destroy()
  await expect.poll(() => a.sample.server.usage.read('maxStreams')).toBe(0)
  return { talk, lastId: String(events.lastId) }
}

describe('a stream that is asked for on another node', () => {
  it('is refused there when its own does not keep its answer, as it is on its own', async () => {
    await using nodes = await TwoNodes.start({ maxKeptPerStreamBytes: 10_000 })
    const headers = await openSession(nodes.a)
    const { talk, lastId } = await loseCall(nodes, headers)
    talk.finish('x'.repeat(20_000))
    for (const host of [nodes.a, nodes.b]) {
      await expect.poll(async () => (await host.send(getStream(headers, lastId))).status).toBe(400)
      const { message } = await host.send(getStream(headers, lastId))
      expect(message.error?.message).toBe(NOT_KEPT)
    }
  })

  it('is refused there when its own has never had it, or has it no more', async () => {
    await using nodes = await TwoNodes.start()
    const headers = await openSession(nodes.a)
    const { talk, lastId } = await loseCall(nodes, headers)
    talk.finish()
    const { status, message } = await nodes.b.send(getStream(headers, lastId.replace(/-\d+:.*/, '-99:1')))
    expect(status).toBe(400)
    expect(message.error?.message).toBe(NOT_KEPT)
  })

  it('is told an answer there that is longer than anything is kept for', async () => {
    await using nodes = await TwoNodes.start({
      maxKeptPerStreamBytes: 10_000,
      maxKeptPerSessionBytes: 15_000,
    })
    const headers = await openSession(nodes.a)
    const { talk, lastId } = await loseCall(nodes, headers)
    const again = await nodes.b.stream(getStream(headers, lastId))
    talk.call.progress(2)
    expect((await again.next())?.params?.['progress']).toBe(2)
    const long = 'x'.repeat(20_000)
    talk.finish(long)
    expect((await again.rest()).map(textOf)).toEqual([long])
  })
})
