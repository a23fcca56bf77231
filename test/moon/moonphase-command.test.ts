import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { KEY, killAll, Moonphase } from './moonphase.ts'

const ROOT = join(import.meta.dirname, '..', '..')

afterEach(killAll)

const start = () => new Moonphase({ MOONPHASE_API_KEY: KEY })

describe('moonphase', () => {
  it('will not start without a key, and says which variable to set', async () => {
    const server = new Moonphase({})
    expect(await server.code()).toBe(2)
    expect(server.stderr).toContain('MOONPHASE_API_KEY')
    expect(server.stdout).toBe('')
  })

  it('listens on port 8181 of this machine, and a PORT for others does not move it', async () => {
    const server = new Moonphase({ MOONPHASE_API_KEY: KEY, PORT: '0' }, [])
    expect(await server.url()).toBe('http://127.0.0.1:8181/mcp')
    expect((await server.post({ method: 'tools/list' })).status).toBe(200)
  })

  it.each(['abc=def', 'a,b', 'name=key:scope', 'MDEyMzQ1Njc4OWFiY2RlZg=='])(
    'takes the whole of its variable for the key: %s',
    async (key) => {
      const server = new Moonphase({ MOONPHASE_API_KEY: key })
      expect((await server.post({ method: 'tools/list' }, { 'x-api-token': key })).status).toBe(200)
      for (const part of key.split(/[=,:]/).filter((one) => one !== '')) {
        expect((await server.post({ method: 'tools/list' }, { 'x-api-token': part })).status).toBe(401)
      }
    },
  )

  it('takes lists of keys from its flag', async () => {
    const server = new Moonphase({ MOONPHASE_API_KEY: KEY }, ['--port', '0', '--key', 'a=one,b=two'])
    for (const [key, status] of [
      ['one', 200],
      ['two', 200],
      [KEY, 401],
    ] as const)
      expect((await server.post({ method: 'tools/list' }, { 'x-api-token': key })).status).toBe(status)
  })

  it('names the variable or the flag whose key cannot be one', async () => {
    const variable = new Moonphase({ MOONPHASE_API_KEY: 'hush hush' })
    expect(await variable.code()).not.toBe(0)
    expect(variable.stderr).toContain('MOONPHASE_API_KEY: a key ')
    const flag = new Moonphase({}, ['--key', 'a=hush hush'])
    expect(await flag.code()).not.toBe(0)
    expect(flag.stderr).toContain('--key: entry 1: a key ')
    expect(variable.stderr + flag.stderr).not.toContain('hush')
  })

  it('answers 404 to everything but its route', async () => {
    const base = (await start().url()).replace('/mcp', '')
    for (const path of [
      '/',
      '/healthz',
      '/readyz',
      '/sse',
      '/messages',
      '/metrics',
      '/mcp/',
      '/.well-known/oauth-protected-resource',
      '/.well-known/ai-catalog.json',
      '/mcp/server-card',
    ]) {
      const response = await fetch(`${base}${path}`, { headers: { 'x-api-token': KEY } })
      expect([path, response.status]).toEqual([path, 404])
      expect(((await response.json()) as { error: { code: number } }).error.code).toBe(-32600)
    }
  })

  it('answers 401 without the key, and never tells it', async () => {
    const server = start()
    for (const headers of [{}, { 'x-api-token': 'wrong' }, { authorization: `Bearer ${KEY}` }]) {
      const { status, message } = await server.post({ method: 'tools/list' }, headers)
      expect(status).toBe(401)
      expect(JSON.stringify(message)).not.toContain(KEY)
    }
    expect(server.stdout + server.stderr).not.toContain(KEY)
  })

  it('lists and calls its tool by the messages of its document, without a session', async () => {
    const server = start()
    const listed = await server.post({ method: 'tools/list' })
    expect(listed.message.result.tools[0]).toMatchObject({
      name: 'moonphase',
      inputSchema: { type: 'object', properties: { datetime: { type: ['string', 'null'] } } },
    })
    const params = { name: 'moonphase', arguments: { datetime: '2026-11-24T14:54:00Z' } }
    const { message } = await server.post({ method: 'tools/call', params })
    expect(message.result.isError).toBe(false)
    const { age, illumination, phase } = message.result.structuredContent
    expect(phase).toBe('full moon')
    expect(illumination).toBe(100)
    expect(age).toBeGreaterThan(14)
    expect(age).toBeLessThan(16)
    expect(message.result.content.map((block: { type: string }) => block.type)).toEqual(['text', 'image'])
  })

  it('takes no date, an empty one or null for now', async () => {
    const server = start()
    for (const args of [{}, { datetime: '' }, { datetime: null }]) {
      const { message } = await server.newest(
        'tools/call',
        { name: 'moonphase', arguments: args },
        'moonphase',
      )
      const { illumination, datetime } = message.result.structuredContent
      expect(Number.isInteger(illumination) && illumination >= 0 && illumination <= 100).toBe(true)
      expect(Math.abs(Date.parse(datetime) - Date.now())).toBeLessThan(3_600_000)
    }
  })

  it('says what is wrong with a bad date', async () => {
    const { message } = await start().post({
      method: 'tools/call',
      params: { name: 'moonphase', arguments: { datetime: 'tomorrow' } },
    })
    expect(message.result).toMatchObject({ isError: true })
    expect(message.result.content[0].text).toContain('tomorrow')
  })

  it('pages its list, and refuses a cursor it did not give', async () => {
    const { message } = await start().post({
      method: 'tools/list',
      params: { cursor: 'optional-cursor-value' },
    })
    expect(message.error.code).toBe(-32602)
  })

  it('opens sessions for those who want one', async () => {
    const server = start()
    const clientInfo = { name: 'ExampleClient', title: 'Example Client Display Name', version: '1.0.0' }
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: { roots: { listChanged: true } },
      clientInfo,
    }
    const opened = await server.post({ method: 'initialize', params })
    expect(opened.message.result.protocolVersion).toBe('2024-11-05')
    const session = opened.headers.get('mcp-session-id') ?? ''
    const listed = await server.post(
      { method: 'tools/list' },
      { 'x-api-token': KEY, 'mcp-session-id': session },
    )
    expect(listed.status).toBe(200)
  })

  it('shuts down when a client with the key asks for it, in every way of asking', async () => {
    const byRequest = start()
    expect((await byRequest.newest('exit', {})).message).toMatchObject({
      id: 1,
      result: { resultType: 'complete' },
    })
    expect(await byRequest.code()).toBe(0)
    const alone = start()
    expect((await alone.post({ method: 'exit', params: {} })).message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {},
    })
    expect(await alone.code()).toBe(0)
    const byNotice = start()
    expect((await byNotice.send({ jsonrpc: '2.0', method: 'exit', params: {} })).status).toBe(202)
    expect(await byNotice.code()).toBe(0)
  })

  it('answers a batch without a session as JSON-RPC does, or says which revision has none', async () => {
    const server = start()
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const params = { name: 'moonphase', arguments: { datetime: '2026-11-24T14:54:00Z' } }
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params }
    const notice = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const answered = await server.send([list, notice, call])
    expect(answered.status).toBe(200)
    expect(answered.message).toMatchObject([
      { id: 1, result: { tools: [{ name: 'moonphase' }] } },
      { id: 2, result: { isError: false } },
    ])
    expect((await server.send([notice])).status).toBe(202)
    const headers = { 'x-api-token': KEY, 'mcp-protocol-version': '2025-06-18' }
    const refused = await server.send([list, call], headers)
    expect(refused.status).toBe(400)
    expect(refused.message.error.message).toContain('there are no batches in 2025-06-18')
  })

  it('tells of all its versions when a request names another', async () => {
    const headers = { 'x-api-token': KEY, 'mcp-protocol-version': '1999-01-01' }
    const { status, message } = await start().post({ method: 'tools/list' }, headers)
    expect(status).toBe(400)
    expect(message.error.data).toEqual({
      supported: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
      requested: '1999-01-01',
    })
  })

  it('answers in JSON whoever takes JSON, errors of its tool too', async () => {
    const server = start()
    const wrong = { method: 'tools/call', params: { name: 'moonphase', arguments: { datetime: 'tomorrow' } } }
    const clientInfo = { name: 'c', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    const accept = 'application/json'
    const opened = await server.post({ method: 'initialize', params }, { 'x-api-token': KEY, accept })
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    for (const extra of [{ accept }, { accept, ...session }, session]) {
      const answer = await server.post(wrong, { 'x-api-token': KEY, ...extra })
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.message.result).toMatchObject({ isError: true })
    }
  })

  it('does not shut down for anybody else, and does on a signal', async () => {
    const server = start()
    expect((await server.post({ method: 'exit' }, {})).status).toBe(401)
    expect((await server.post({ method: 'tools/list' })).status).toBe(200)
    server.signal('SIGTERM')
    expect(await server.code()).toBe(0)
  })

  it('has a picture for hosts that show pages', async () => {
    const { message } = await start().newest(
      'resources/read',
      { uri: 'ui://moonphase/view.html' },
      'ui://moonphase/view.html',
    )
    expect(message.result.contents[0].mimeType).toBe('text/html;profile=mcp-app')
  })
})

it('crush.json configures moonphase and ccmcp as crush expects it', () => {
  const { $schema, mcp } = JSON.parse(readFileSync(join(ROOT, 'crush.json'), 'utf8'))
  expect($schema).toBe('https://charm.land/crush.json')
  expect(mcp.moonphase).toEqual({
    type: 'http',
    url: 'http://127.0.0.1:8181/mcp',
    headers: { 'X-Api-Token': '$(echo $MOONPHASE_API_KEY)' },
  })
  expect(mcp.ccmcp).toMatchObject({
    type: 'stdio',
    command: 'node',
    args: expect.arrayContaining(['dist/cli/bin/ccmcp.js']),
  })
})
