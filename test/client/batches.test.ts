import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import type { JsonObject } from '../../src/kernel/index.ts'
import { DONE, FakeServer, json, script } from './hostile.ts'

const BATCHING = '2025-03-26'

/** A server of a revision that says a line, made of the id of a call, before it answers that call. */
const saying = (protocolVersion: string, line: string, then = 'reply(DONE)') =>
  script(`
  const DONE = ${JSON.stringify(DONE)}
  const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const reply = (result) => say({ jsonrpc: '2.0', id, result })
    if (method === 'initialize') reply({ protocolVersion: '${protocolVersion}', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'f', version: '1' } })
    if (method === 'server/discover') say({ jsonrpc: '2.0', id, error: { code: -32601, message: 'what?' } })
    if (method !== 'tools/call') return
    say(${line})
    ${then}
  })`)

/** Calls a tool, and tells what came of it and what else was heard. */
async function call(target: Parameters<typeof connect>[0]) {
  const errors: string[] = []
  const notices: string[] = []
  await using client = await connect(target, {
    timeoutMs: Number.POSITIVE_INFINITY,
    onError: ({ message }) => errors.push(message),
    onNotification: ({ method }) => notices.push(method),
  })
  const [answer] = await Promise.allSettled([client.callTool('t')])
  return { answer, errors, notices }
}

const ANSWER = { status: 'fulfilled', value: DONE }
const refused = (text: string) => ({
  status: 'rejected',
  reason: { reason: 'nonsense', message: expect.stringContaining(text) },
})

describe('a batch of a server', () => {
  it('is taken in the revision that has them, answers and notices', async () => {
    const line = `[{ jsonrpc: '2.0', method: 'notifications/a' }, { jsonrpc: '2.0', id, result: DONE }]`
    const { answer, errors, notices } = await call(saying(BATCHING, line, ''))
    expect([answer, errors, notices]).toEqual([ANSWER, [], ['notifications/a']])
  })

  it('is told of once, however much of it is no message', async () => {
    const { answer, errors } = await call(saying(BATCHING, 'Array(1000).fill(1)'))
    expect(answer).toEqual(ANSWER)
    expect(errors).toEqual([expect.stringContaining('a message must be a JSON object')])
  })

  it('of too many messages is refused as a whole', async () => {
    const line = `Array(1001).fill({ jsonrpc: '2.0', method: 'notifications/a' })`
    const { answer, errors, notices } = await call(saying(BATCHING, line))
    expect([answer, notices]).toEqual([ANSWER, []])
    expect(errors).toEqual([expect.stringContaining('A batch may hold 1000 messages, this one has 1001')])
  })

  it('of too many messages ends the calls that wait, where it holds answers', async () => {
    const line = `[...Array(1000).fill(1), { jsonrpc: '2.0', id, result: DONE }]`
    const { answer, errors } = await call(saying(BATCHING, line, ''))
    expect(answer).toMatchObject(refused('A batch may hold 1000 messages, this one has 1001'))
    expect(errors).toEqual([])
  })

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('is none in %s', async (revision) => {
    const notices = `[{ jsonrpc: '2.0', method: 'notifications/a' }, { jsonrpc: '2.0', id: 7, method: 'ping' }]`
    const text = `there are no batches in ${revision}`
    const one = await call(saying(revision, notices))
    expect(one).toMatchObject({ answer: ANSWER, errors: [expect.stringContaining(text)], notices: [] })
    const answered = await call(saying(revision, `[{ jsonrpc: '2.0', id, result: DONE }]`, ''))
    expect(answered).toMatchObject({ answer: refused(text), errors: [] })
  })

  it('is none over HTTP in the newest revision', async () => {
    await using server = await FakeServer.open(({ message: { id, method } }, response) => {
      const known: { [method: string]: JsonObject } = {
        'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
        'tools/call': DONE,
      }
      const answer = { jsonrpc: '2.0', id, result: { resultType: 'complete', ...known[String(method)] } }
      json(response, method === 'tools/call' ? [answer] : answer)
    })
    expect((await call(server.url)).answer).toMatchObject(refused('there are no batches in 2026-07-28'))
  })
})
