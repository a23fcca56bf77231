import { describe, expect, it } from 'vitest'
import { Host } from './host.ts'
import { callModern, META, printRequest, textOf } from './messages.ts'

const LOGGED = { meta: { [`${META}logLevel`]: 'info' } }

describe('a stream of events', () => {
  it('that is complete at once is sent with its length', async () => {
    await using host = await Host.start()
    const events = await host.stream(callModern('big', { bytes: 3, notices: 2 }, LOGGED))
    expect(events.response.headers).toMatchObject({ 'content-type': 'text/event-stream' })
    expect(Number(events.response.headers['content-length'])).toBeGreaterThan(2000)
    expect(events.response.headers).not.toHaveProperty('transfer-encoding')
    const [first, second, answer] = await events.rest()
    expect([first?.method, second?.method]).toEqual(['notifications/message', 'notifications/message'])
    expect(textOf(answer)).toBe('xxx')
  })

  it('that is long leaves while it is being written, and whole', async () => {
    await using host = await Host.start()
    const events = await host.stream(callModern('big', { bytes: 1, notices: 300 }, LOGGED))
    expect(events.response.headers).toMatchObject({ 'transfer-encoding': 'chunked' })
    const said = await events.rest()
    expect(said.length).toBe(301)
    expect(said.slice(0, -1).map(({ params }) => Number.parseInt(String(params?.['data']), 10))).toEqual(
      Array.from({ length: 300 }, (_, at) => at + 1),
    )
  })

  it('that goes on is opened before anything is said', async () => {
    await using host = await Host.start()
    const coming = host.stream(callModern('talk', {}, { meta: { progressToken: 't' } }))
    const talk = await host.talk()
    talk.call.progress(1)
    const events = await coming
    expect(events.response.headers).toMatchObject({ 'transfer-encoding': 'chunked' })
    expect((await events.next())?.method).toBe('notifications/progress')
    talk.finish('end')
    expect(textOf(await events.next())).toBe('end')
  })
})

describe('answers that leave together', () => {
  it('reach everybody, each its own', async () => {
    await using host = await Host.start()
    const texts = Array.from({ length: 40 }, (_, at) => `text ${at} ${'é'.repeat(at)}`)
    const answers = await Promise.all(texts.map((text) => host.send(callModern('echo', { text }))))
    expect(answers.map(({ message }) => textOf(message))).toEqual(texts)
  })

  it('keep their order on a connection that does not wait for them', async () => {
    await using host = await Host.start()
    const requests = ['one', 'two', 'three'].map((text, id) =>
      printRequest(host, callModern('echo', { text }, { id })),
    )
    const wire = await host.dial(requests.join(''))
    const heard = await wire.until(/"id":2,/)
    expect([...heard.matchAll(/"text":"(\w+)"/g)].map(([, text]) => text)).toEqual(['one', 'two', 'three'])
  })

  it('do not mind one whose client has left', async () => {
    await using host = await Host.start()
    const wire = await host.dial(printRequest(host, callModern('echo', { text: 'nobody' })))
    wire.socket.destroy()
    const { message } = await host.send(callModern('echo', { text: 'somebody' }))
    expect(textOf(message)).toBe('somebody')
  })
})
