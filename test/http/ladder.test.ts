import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Host } from './host.ts'
import { callModern, initialize, META, MODERN, modern, textOf } from './messages.ts'

let host: Host
beforeAll(async () => {
  host = await Host.start()
})
afterAll(() => host[Symbol.asyncDispose]())

function expectRefusal(answer: Answer, status: number, code: number, id: unknown = 1): void {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.message).toMatchObject({ jsonrpc: '2.0', error: { code } })
  expect(answer.message.id).toBe(id === 'none' ? undefined : id)
}

const VERSION = `${META}protocolVersion`
const CAPABILITIES = `${META}clientCapabilities`

describe('a request of 2026-07-28 is refused', () => {
  it.each([
    ['no _meta', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }],
    [
      'a _meta that is no object',
      { body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: 5 } } },
    ],
    ['no version', { body: modern('tools/list', {}, { meta: { [VERSION]: undefined } }).body }],
    ['a version that is no string', { body: modern('tools/list', {}, { meta: { [VERSION]: 5 } }).body }],
    ['no capabilities', { body: modern('tools/list', {}, { meta: { [CAPABILITIES]: undefined } }).body }],
    ['a wrong log level', { body: modern('tools/list', {}, { meta: { [`${META}logLevel`]: 'loud' } }).body }],
  ])('with -32602 for %s, whatever else is wrong', async (_what, { body }) => {
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'wrong' }
    expectRefusal(await host.send({ headers, body }), 400, -32602)
  })

  it.each([
    [5, 'the number 5'],
    [null, 'null'],
  ])('with what its _meta is where that is no object: %j', async (_meta, what) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }
    const answer = await host.send({ headers: { 'mcp-protocol-version': MODERN }, body })
    expect(answer.message.error?.message).toBe(`Invalid params: _meta: expected an object, got ${what}`)
  })

  it.each([
    ['another version in the header', { 'mcp-protocol-version': '2025-11-25' }],
    ['no version in the header', { 'mcp-protocol-version': undefined }],
    ['two versions in the header', { 'mcp-protocol-version': [MODERN, MODERN] }],
  ])('with -32020 for %s', async (_what, headers) => {
    expectRefusal(await host.send(modern('tools/list', {}, { headers })), 400, -32020)
  })

  it('with -32020 rather than -32022 when header and body name different versions', async () => {
    expectRefusal(await host.send(modern('tools/list', {}, { meta: { [VERSION]: 'v999' } })), 400, -32020)
  })

  it.each(['v999', '2025-06-18'])(
    'with -32022 for the version %s, before its other headers',
    async (version) => {
      const headers = { 'mcp-protocol-version': version, 'mcp-method': 'wrong' }
      const answer = await host.send(modern('tools/list', {}, { meta: { [VERSION]: version }, headers }))
      expectRefusal(answer, 400, -32022)
      expect(answer.message.error?.data).toEqual({ supported: [MODERN], requested: version })
    },
  )

  it.each([
    ['no Mcp-Method', { 'mcp-method': undefined }],
    ['another Mcp-Method', { 'mcp-method': 'prompts/list' }],
    ['Mcp-Method in capitals', { 'mcp-method': 'TOOLS/CALL' }],
    ['an encoded Mcp-Method', { 'mcp-method': `=?base64?${btoa('tools/call')}?=` }],
    ['no Mcp-Name', { 'mcp-name': undefined }],
    ['another Mcp-Name', { 'mcp-name': 'wrong' }],
    ['Mcp-Name in capitals', { 'mcp-name': 'ECHO' }],
  ])('with -32020 for %s', async (_what, headers) => {
    expectRefusal(await host.send(callModern('echo', {}, { headers })), 400, -32020)
  })

  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'unknown/method',
    'prompts/list',
    'constructor',
    '__proto__',
  ])('with -32601 and 404 for the method %s', async (method) => {
    expectRefusal(await host.send(modern(method, { protocolVersion: MODERN })), 404, -32601)
  })

  it('with -32020 before -32601', async () => {
    const answer = await host.send(modern('unknown/method', {}, { headers: { 'mcp-method': 'other' } }))
    expectRefusal(answer, 400, -32020)
  })

  it('with -32021 and 400 when the client lacks a capability', async () => {
    const answer = await host.send(callModern('think'))
    expectRefusal(answer, 400, -32021)
    expect(answer.message.error?.data).toEqual({ requiredCapabilities: { sampling: {} } })
  })

  it('under its own id, of its own type', async () => {
    const answer = await host.send(modern('unknown/method', {}, { id: '7' }))
    expectRefusal(answer, 404, -32601, '7')
  })
})

describe('headers that agree', () => {
  it.each([
    ['padded with spaces', { 'mcp-name': '  echo  ', 'mcp-method': ' tools/call\t' }],
    ['encoded', { 'mcp-name': `=?base64?${btoa('echo')}?=` }],
    ['of another case', { 'mcp-name': undefined, 'MCP-NAME': 'echo' }],
  ])('may be %s', async (_what, headers) => {
    const answer = await host.send(callModern('echo', { text: 'hi' }, { headers }))
    expect(textOf(answer.message)).toBe('hi')
  })

  it('repeat the uri of resources/read', async () => {
    expect((await host.send(modern('resources/read', { uri: 'note://a' }))).status).toBe(200)
    const headers = { 'mcp-name': 'note://b' }
    expectRefusal(await host.send(modern('resources/read', { uri: 'note://a' }, { headers })), 400, -32020)
  })

  it('leave a wrong parameter to the method, which refuses it in band', async () => {
    expectRefusal(await host.send(modern('tools/call', {})), 200, -32602)
    expectRefusal(await host.send(callModern('no-such-tool')), 200, -32602)
  })
})

describe('Mcp-Param headers', () => {
  const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`

  it.each([
    ['a text', { region: 'eu west' }, { 'mcp-param-region': 'eu west' }],
    ['an empty text', { region: '' }, { 'mcp-param-region': '' }],
    ['an encoded text', { region: 'Zürich' }, { 'mcp-param-region': base64('Zürich') }],
    ['base64 without its marks', { region: 'SGVsbG8=' }, { 'mcp-param-region': 'SGVsbG8=' }],
    ['a mark without its end', { region: '=?base64?SGVsbG8=' }, { 'mcp-param-region': '=?base64?SGVsbG8=' }],
    ['a mark in capitals', { region: '=?BASE64?SGVsbG8=?=' }, { 'mcp-param-region': '=?BASE64?SGVsbG8=?=' }],
    ['an integer', { level: 42 }, { 'mcp-param-level': '42' }],
    ['an integer with a point', { level: 42 }, { 'mcp-param-level': '42.0' }],
    ['a negative integer', { level: -1 }, { 'mcp-param-level': '-1' }],
    ['a boolean', { dry: false }, { 'mcp-param-dry': 'false' }],
    ['a nested text', { deep: { zone: 'z' } }, { 'mcp-param-zone': 'z' }],
    ['nothing', {}, {}],
    ['null', { deep: null }, {}],
    ['a header nobody asked for', {}, { 'mcp-param-other': 'x' }],
  ])('may carry %s', async (_what, args, headers) => {
    const answer = await host.send(callModern('route', args, { headers }))
    expect(answer.status, answer.text).toBe(200)
  })

  it.each([
    ['no header for a text', { region: 'eu' }, {}],
    ['another text', { region: 'eu' }, { 'mcp-param-region': 'us' }],
    ['another case', { region: 'eu' }, { 'mcp-param-region': 'EU' }],
    ['missing padding', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }],
    ['a wrong alphabet', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }],
    ['what is no UTF-8', { region: '�' }, { 'mcp-param-region': '=?base64?/w==?=' }],
    ['bytes beyond ASCII', { region: 'é' }, { 'mcp-param-region': 'é' }],
    ['bytes that would be the same in Latin-1', { region: 'Ã©' }, { 'mcp-param-region': 'é' }],
    ['two values', { region: 'eu' }, { 'mcp-param-region': ['eu', 'eu'] }],
    ['another integer', { level: 42 }, { 'mcp-param-level': '43' }],
    ['a hexadecimal integer', { level: 42 }, { 'mcp-param-level': '0x2a' }],
    ['no header for zero', { level: 0 }, {}],
    ['a boolean in capitals', { dry: true }, { 'mcp-param-dry': 'TRUE' }],
    ['no header for a nested text', { deep: { zone: 'z' } }, {}],
    ['a header without its argument', {}, { 'mcp-param-region': 'eu' }],
    ['a header without its nested argument', { deep: {} }, { 'mcp-param-zone': 'z' }],
    ['an object for a text', { region: { toString: [] } }, { 'mcp-param-region': 'eu' }],
  ])('are refused with -32020 for %s', async (_what, args, headers) => {
    expectRefusal(await host.send(callModern('route', args, { headers })), 400, -32020)
  })
})

describe('a POST of 2026-07-28', () => {
  it('that is a notification is accepted and has no answer', async () => {
    const body = { jsonrpc: '2.0', method: 'notifications/anything' }
    const answer = await host.send({ headers: { 'mcp-protocol-version': MODERN }, body })
    expect([answer.status, answer.text]).toEqual([202, ''])
  })

  it('that is a notification known by its _meta alone is accepted', async () => {
    const params = { _meta: { [VERSION]: MODERN } }
    const answer = await host.send({ body: { jsonrpc: '2.0', method: 'notifications/anything', params } })
    expect(answer.status).toBe(202)
  })

  it('that is an answer is refused', async () => {
    const answer = await host.send({
      headers: { 'mcp-protocol-version': MODERN },
      body: { jsonrpc: '2.0', id: 1, result: {} },
    })
    expectRefusal(answer, 400, -32600, 'none')
  })

  it('that is a batch is refused', async () => {
    const { headers = {}, body } = modern('tools/list')
    expectRefusal(await host.send({ headers, body: [body] }), 400, -32600, 'none')
  })

  it('may have a stray session and event id, and gets no session', async () => {
    const headers = { 'mcp-session-id': 'nobody', 'last-event-id': '1:1' }
    const answer = await host.send(callModern('echo', { text: 'hi' }, { headers }))
    expect(textOf(answer.message)).toBe('hi')
    expect(answer.headers).not.toHaveProperty('mcp-session-id')
  })

  it('needs no clientInfo', async () => {
    const answer = await host.send(modern('server/discover'))
    expect(answer.message.result).toMatchObject({ supportedVersions: [MODERN], resultType: 'complete' })
  })

  it('may name a handshake version in the _meta of initialize', async () => {
    const answer = await host.send({
      body: {
        ...initialize('2025-06-18'),
        params: {
          ...(initialize('2025-06-18') as { params: object }).params,
          _meta: { [VERSION]: '2025-06-18' },
        },
      },
    })
    expect(answer.message.result).toMatchObject({ protocolVersion: '2025-06-18' })
  })
})
