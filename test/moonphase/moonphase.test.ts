import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/index.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const KEY = 'sesame'
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

const running = new Set<Moonphase>()

afterEach(async () => {
  for (const one of running) await one.kill()
  running.clear()
})

/** The command as users start it. */
class Moonphase {
  readonly #child
  readonly #exited: Promise<unknown[]>
  stdout = ''
  stderr = ''

  constructor(environment: { readonly [name: string]: string }, args: readonly string[] = ['--port', '0']) {
    const command = join(ROOT, 'dist', 'cli', 'bin', 'moonphase.js')
    this.#child = spawn(process.execPath, [command, ...args], {
      env: { PATH: process.env['PATH'], ...environment },
    })
    this.#exited = once(this.#child, 'close')
    this.#child.stdout.on('data', (text) => {
      this.stdout += text
    })
    this.#child.stderr.on('data', (text) => {
      this.stderr += text
    })
    running.add(this)
  }

  async url(): Promise<string> {
    while (!/listening at \S+\n/.test(this.stdout)) await once(this.#child.stdout, 'data')
    return /listening at (\S+)/.exec(this.stdout)?.[1] ?? ''
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  async code(): Promise<unknown> {
    return (await this.#exited)[0]
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  async post(body: JsonObject, headers: { readonly [name: string]: string } = { 'x-api-token': KEY }) {
    const response = await fetch(await this.url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      message: text === '' ? {} : JSON.parse(text),
    }
  }

  newest(method: string, params: JsonObject, name?: string) {
    const headers = {
      'x-api-token': KEY,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name && { 'mcp-name': name }),
    }
    return this.post({ method, params: { ...params, _meta: META } }, headers)
  }
}

const start = () => new Moonphase({ MOONPHASE_API_KEY: KEY })

describe('moonphase', () => {
  it('will not start without a key, and says which variable to set', async () => {
    const server = new Moonphase({})
    expect(await server.code()).toBe(2)
    expect(server.stderr).toContain('MOONPHASE_API_KEY')
    expect(server.stdout).toBe('')
  })

  it('listens on port 8181 of this machine, or where PORT or --port says', async () => {
    expect(readFileSync(join(ROOT, 'src/cli/settings.ts'), 'utf8')).toContain("fallback: '8181'")
    const server = new Moonphase({ MOONPHASE_API_KEY: KEY, PORT: '0' }, [])
    expect(await server.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  })

  it('answers 404 to everything but its route', async () => {
    const base = (await start().url()).replace('/mcp', '')
    for (const path of [
      '/',
      '/healthz',
      '/sse',
      '/messages',
      '/metrics',
      '/mcp/',
      '/.well-known/oauth-protected-resource',
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
      inputSchema: { type: 'object', properties: { datetime: { type: 'string' } } },
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

  it('takes no date, or an empty one, for now', async () => {
    const server = start()
    for (const args of [{}, { datetime: '' }]) {
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
    expect((await byRequest.newest('exit', {})).message.result).toMatchObject({})
    expect(await byRequest.code()).toBe(0)
    const alone = start()
    expect((await alone.post({ method: 'exit', params: {} })).message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {},
    })
    expect(await alone.code()).toBe(0)
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
