import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { child, DONE, FakeServer, handshakes } from './hostile.ts'

const DEEP = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`

/** What comes in the place of an answer; ID is the id of the request. */
const ODD: readonly (readonly [what: string, line: string, said: RegExp])[] = [
  ['with neither', '{"jsonrpc":"2.0","id":ID}', /neither a result nor an error/],
  ['of no version', '{"id":ID,"result":{}}', /jsonrpc must be "2.0", got nothing/],
  ['of another version', '{"jsonrpc":"1.0","id":ID,"result":{}}', /jsonrpc must be "2.0", got .*1.0/],
  ['of no version with neither', '{"id":ID}', /neither a result nor an error/],
  ['that is too deep', `{"jsonrpc":"2.0","id":ID,"result":${DEEP}}`, /nested more than 256 levels deep/],
  ['that is not JSON to its end', '{"jsonrpc":"2.0","id":ID,"result":{"n":NaN}}', /Parse error/],
  ['in a batch', '[{"id":ID,"result":{}}]', /there are no batches in 2025-11-25/],
]

/** Says a line in the place of an answer to whatever is asked. */
const saying = (line: string) => child(`if (id) say(${JSON.stringify(line)}.replaceAll('ID', id) + '\\n')`)

const refusal = (said: RegExp) => ({
  reason: 'nonsense',
  message: expect.stringMatching(new RegExp(`The server answered tools/call .*${said.source}.*expected`)),
})

describe('an answer that is none', () => {
  it.each(ODD)('ends its call on stdio: %s', async (_what, line, said) => {
    await using client = await connect(saying(line), { timeoutMs: Number.POSITIVE_INFINITY })
    await expect(client.callTool('t')).rejects.toMatchObject(refusal(said))
  })

  it.each(ODD)('ends its call over HTTP: %s', async (_what, line, said) => {
    await using server = await FakeServer.open((heard, response) => {
      if (handshakes(heard, response)) return
      const body = line.replaceAll('ID', String(heard.message.id))
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
    await using client = await connect(server.url, { timeoutMs: Number.POSITIVE_INFINITY })
    await expect(client.callTool('t')).rejects.toMatchObject(refusal(said))
  })

  it('to a list is told to whoever reads the list', async () => {
    await using client = await connect(saying(`{"jsonrpc":"2.0","id":ID,"result":{"tools":${DEEP}}}`))
    await expect(client.tools()).rejects.toMatchObject({
      message: expect.stringContaining('tools/list'),
    })
  })

  it('and carries the id of a request of the server ends nothing', async () => {
    const asking = child(`
      if (method !== 'tools/call') return
      say({ id, method: 'ping' }); say('{"jsonrpc":"2.0","id":' + id + ',"method":"ping","params":{"n":NaN}}\\n')
      reply({ content: [] })`)
    await using client = await connect(asking)
    expect(await client.callTool('t')).toEqual({ content: [] })
  })
})

it.each([
  ['whose code is no number of JSON', '"code":1e999,"message":"The disk is full"', 'The disk is full'],
  ['whose words are none', '"code":-32603,"message":{"a":1}', 'An error came that gives no reason'],
])('an error %s is told with what there is of it, on stdio and over HTTP', async (_what, error, message) => {
  const line = `{"jsonrpc":"2.0","id":ID,"error":{${error}}}`
  await using server = await FakeServer.open((heard, response) => {
    if (handshakes(heard, response)) return
    const body = line.replaceAll('ID', String(heard.message.id))
    response.writeHead(400, { 'content-type': 'application/json' }).end(body)
  })
  for (const target of [saying(line), server.url]) {
    await using client = await connect(target)
    await expect(client.callTool('t')).rejects.toMatchObject({ code: -32603, message })
  }
})

describe('an answer by an id that is not quite ours', () => {
  it('is taken where a string says the same number', async () => {
    await using client = await connect(
      child(`if (id) say({ jsonrpc: '2.0', id: String(id), result: ${JSON.stringify(DONE)} })`),
    )
    expect(await client.callTool('t')).toEqual(DONE)
  })

  const nobodys = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`

  it('is that of the only request, where it is an error without one', async () => {
    await using client = await connect(saying(nobodys), { timeoutMs: Number.POSITIVE_INFINITY })
    await expect(client.callTool('t')).rejects.toMatchObject({ name: 'ErrorReply', code: -32700 })
  })

  it('is that of the request it came with over HTTP', async () => {
    await using server = await FakeServer.open((heard, response) => {
      if (handshakes(heard, response)) return
      response.writeHead(200, { 'content-type': 'application/json' }).end(nobodys)
    })
    await using client = await connect(server.url)
    const both = await Promise.allSettled([client.callTool('one'), client.callTool('two')])
    expect(both).toMatchObject([{ reason: { code: -32700 } }, { reason: { code: -32700 } }])
  })

  it('is told of, where it could be that of either', async () => {
    const two = child(`
      if (method !== 'tools/call') return
      if (globalThis.first === undefined) return globalThis.first = id
      say(${JSON.stringify(`${nobodys}\n`)}); reply({ content: [] }); say({ jsonrpc: '2.0', id: globalThis.first, result: { content: [] } })`)
    const errors: Error[] = []
    await using client = await connect(two, { onError: (error) => errors.push(error) })
    const both = await Promise.all([client.callTool('one'), client.callTool('two')])
    expect(both).toEqual([{ content: [] }, { content: [] }])
    expect(errors).toMatchObject([{ reason: 'nonsense', message: expect.stringContaining('Parse error') }])
  })
})

it('a code that is no integer is that of an internal error', async () => {
  await using client = await connect(saying('{"jsonrpc":"2.0","id":ID,"error":{"code":1.5,"message":"m"}}'))
  await expect(client.callTool('t')).rejects.toMatchObject({ name: 'ErrorReply', code: -32603, message: 'm' })
})
