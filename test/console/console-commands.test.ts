import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { LineProcess, type ProcessOptions } from '../setup/process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PERIGEE = join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')
const folder = mkdtempSync(join(tmpdir(), 'perigee-console-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What is there when a command has been started that was not to be. */
const STARTED = join(folder, 'started')

const started: LineProcess[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.kill()))
})

function start(args: readonly string[], options: ProcessOptions = {}) {
  const child = new LineProcess(PERIGEE, { args, ...options })
  started.push(child)
  return child
}

/** The lines of the welcome, up to the empty one. */
async function greetingOf(child: LineProcess): Promise<readonly string[]> {
  const lines: string[] = []
  for (
    let line = await child.lines.next();
    line !== undefined && line !== '';
    line = await child.lines.next()
  )
    lines.push(line)
  return lines
}

function addressIn(text: string) {
  const [, origin = '', key = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/console#([\w-]{22,})$/m.exec(text) ?? []
  return { origin, key, headers: { authorization: `Bearer ${key}` } }
}

/** The beginning of a stream of events, until it has what is looked for. */
async function watch(url: string, headers: { readonly [name: string]: string }, wanted: string) {
  const response = await fetch(url, { headers })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes(wanted)) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) break
    text += value
  }
  await reader?.cancel()
  return text
}

describe('over HTTP', () => {
  it('perigee start says where a browser shows the server, and leads one there that opens the server itself', async () => {
    const [first = '', second = ''] = await greetingOf(start(['start', '--port', '0']))
    expect(first).toMatch(/^workbench is listening at http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    expect(second).toMatch(/^in a browser: http:\/\/127\.0\.0\.1:\d+\/console#[\w-]{22,}$/)
    const { origin, headers } = addressIn(second)
    expect((await fetch(`${origin}/`, { headers: { accept: 'text/html' } })).url).toBe(`${origin}/console`)
    expect(await watch(`${origin}/console/events`, headers, '"hello"')).toContain('"name":"workbench"')
  })

  it('npm start is perigee start', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: { [name: string]: string }
    }
    expect(scripts['start']).toMatch(/perigee\.js start$/)
  })

  it('serve has no console unless asked', async () => {
    const greeting = await greetingOf(start(['serve', '--port', '0']))
    expect(greeting.join('\n')).not.toContain('/console')
  })

  it('serve --console has one, by the key that was given', async () => {
    const key = 'k'.repeat(30)
    const greeting = await greetingOf(start(['serve', '--port', '0', '--console', '--console-key', key]))
    expect(addressIn(greeting.join('\n')).key).toBe(key)
  })

  it.each([
    ['several workers', ['start', '--port', '0', '--workers', '2', '--log-level', 'off'], {}],
    ['moonphase', ['start', 'moonphase', '--port', '0'], { MOONPHASE_API_KEY: 'secret-for-moonphase' }],
    ['a network', ['start', '--host', '0.0.0.0', '--port', '0', '--key', 'a-long-secret'], {}],
  ])('perigee start leaves it out for %s', async (_what, args, env) => {
    const greeting = await greetingOf(start(args, { env }))
    expect(greeting[0]).toContain('is listening at')
    expect(greeting.join('\n')).not.toContain('/console')
  })

  it.each([
    [['serve', '--console', '--console-key', 'short'], '--console-key', {}],
    [['serve', '--console-key', 'short', '--workers', '2'], '--console-key', {}],
    [['start'], 'PERIGEE_CONSOLE_KEY', { PERIGEE_CONSOLE_KEY: 'short' }],
    [['gateway', '--console', '--console-key', 'short', '--', 'touch', STARTED], '--console-key', {}],
    [['console', '--console-key', 'short', '--', 'touch', STARTED], '--console-key', {}],
    [['console', '--', 'touch', STARTED], 'PERIGEE_CONSOLE_KEY', { PERIGEE_CONSOLE_KEY: 'short' }],
  ])('a key that can be guessed is refused before anything is started: %s', (args, source, env) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [PERIGEE, ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
      input: '',
      timeout: 20_000,
    })
    expect([status, stdout, existsSync(STARTED)]).toEqual([2, '', false])
    expect(stderr).toBe(
      `perigee: ${source}: expected at least 22 letters, digits, - or _, made at random (for example: openssl rand -hex 16), got 5 characters\n`,
    )
  })

  it('a variable that is there for other servers is none of those without a console', async () => {
    const greeting = await greetingOf(
      start(['serve', '--port', '0'], { env: { PERIGEE_CONSOLE_KEY: 'short' } }),
    )
    expect(greeting[0]).toContain('is listening at')
  })

  it.each([
    [['serve', '--workers', '2'], 'a worker sees no messages but its own'],
    [['serve', 'moonphase'], 'moonphase has nothing beside /mcp, and so no console'],
    [['serve', '--host', '0.0.0.0', '--key', 'a-long-secret'], '0.0.0.0 can be reached from other machines'],
  ])('--console is refused for %s, with the reason', (args, reason) => {
    const env = { ...process.env, MOONPHASE_API_KEY: 'secret-for-moonphase' }
    const all = [PERIGEE, ...args, '--port', '0', '--console']
    const { status, stderr, stdout } = spawnSync(process.execPath, all, {
      encoding: 'utf8',
      env,
      timeout: 20_000,
    })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`--console: ${reason}`)
  })
})

describe('on stdio', () => {
  const HELLO = `import { defineServer, defineTool } from ${JSON.stringify(join(ROOT, 'dist', 'index.js'))}
export default defineServer({ name: 'mine', version: '1', tools: [defineTool({ name: 'hello', description: '', run: () => 'hello' })] })`
  const file = join(folder, 'server.mjs')
  writeFileSync(file, HELLO)
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  const INITIALIZE = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`

  it('shows what passes on stdin and stdout, and says where on stderr', async () => {
    const child = start(['serve', file, '--console'])
    child.write(INITIALIZE)
    expect(await child.lines.next()).toContain('"name":"mine"')
    expect(child.stderr).toMatch(/^mine can be seen at http:/)
    const { origin, headers } = addressIn(child.stderr.trim())
    const seen = await watch(`${origin}/console/events`, headers, '"direction":"out"')
    expect(seen).toContain('"transport":"stdio"')
    expect(seen).toContain('"opensMcp":true')
    expect(await child.end()).toBe(0)
  })

  it('lets nobody call who has not the key of the console', async () => {
    const child = start(['serve', file, '--console'])
    child.write(INITIALIZE)
    await child.lines.next()
    const { origin, headers } = addressIn(child.stderr.trim())
    const post = (more: { readonly [name: string]: string }) =>
      fetch(`${origin}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...more,
        },
        body: INITIALIZE,
      })
    expect((await post({})).status).toBe(401)
    expect((await post(headers)).status).toBe(200)
    expect(await child.end()).toBe(0)
  })

  it('ends with its client though a page is open', async () => {
    const child = start(['serve', file, '--console'])
    child.write(INITIALIZE)
    await child.lines.next()
    const { origin, headers } = addressIn(child.stderr.trim())
    const response = await fetch(`${origin}/console/events`, { headers })
    expect(response.status).toBe(200)
    expect((await fetch(`${origin}/mcp/server-card`)).status).toBe(404)
    expect(await child.end()).toBe(0)
  })

  it('is not even loaded where nobody asks for it', async () => {
    const log = join(folder, 'modules')
    const hook = pathToFileURL(join(ROOT, 'test', 'bench', 'count-modules.mjs')).href
    const loadedBy = async (...flags: readonly string[]) => {
      const env = { MODULE_LOG: log, NODE_OPTIONS: `--import=${hook}` }
      const child = start(['serve', 'ccmcp', ...flags], { env })
      child.write(INITIALIZE)
      await child.lines.next()
      const { files } = JSON.parse(readFileSync(`${log}.json`, 'utf8')) as { files: readonly string[] }
      return files.filter((file) => /console/.test(file.replace(ROOT, '')))
    }
    expect(await loadedBy()).toEqual([])
    expect((await loadedBy('--console')).length).toBeGreaterThan(0)
  })

  it('has a port of its own, which can be chosen', async () => {
    const child = start(['serve', file, '--console', '--port', '0'])
    child.write(INITIALIZE)
    expect(await child.lines.next()).toContain('"id":1')
    expect(await child.end()).toBe(0)
  })
})

describe('perigee console', () => {
  const STDIO = join(ROOT, 'dist', 'cli', 'bin', 'ccmcp.js')
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }

  async function listTools(origin: string, headers: { readonly [name: string]: string }) {
    const answer = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: {
        ...headers,
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } }),
    })
    return { status: answer.status, text: await answer.text() }
  }

  it('shows a server on stdin and stdout, for those who have the key', async () => {
    const line = (await start(['console', '--', process.execPath, STDIO]).lines.next()) ?? ''
    const { origin, headers } = addressIn(line)
    expect(line).toContain('ccmcp.js in a browser: http://127.0.0.1:')
    expect(await watch(`${origin}/console/events`, headers, '"hello"')).toContain('"name":"ccmcp.js"')
    expect((await listTools(origin, {})).status).toBe(401)
    expect((await listTools(origin, headers)).text).toContain('"tools":[{')
    expect(await watch(`${origin}/console/events`, headers, '"direction":"out"')).toContain('tools/list')
  })

  it('shows a server over HTTP, with the key that it wants', async () => {
    const served = start(['serve', '--port', '0', '--key', 'a-long-secret', '--log-level', 'off'])
    const [, url = ''] = /is listening at (\S+)$/.exec((await served.lines.next()) ?? '') ?? []
    const line =
      (await start(['console', url, '--header', 'Authorization: Bearer a-long-secret']).lines.next()) ?? ''
    const { origin, headers } = addressIn(line)
    expect((await listTools(origin, headers)).text).toContain('"tools":[{')
    expect(line).not.toContain('a-long-secret')
  })

  it.each([
    [[], 'expected the address of a server, or a command after --, got neither'],
    [['server.js'], 'a command comes after --: perigee console -- server.js'],
    [['https://x.example/mcp', '--', 'node'], 'got both'],
    [['--header', 'nonsense', 'https://x.example/mcp'], 'header: expected "Name: value"'],
    [['--header', 'A: b', '--', 'node'], '--header is for a server over HTTP'],
    [['--revision', '2020-01-01', '--', 'node'], 'revision: expected one of 2024-11-05'],
    [['--prot', '1', '--', 'node'], 'Did you mean --port?'],
  ])('says what is wrong with %j', (args, message) => {
    const all = [PERIGEE, 'console', ...args]
    const { status, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8', timeout: 20_000 })
    expect(stderr).toContain(message)
    expect(status).toBe(2)
  })
})
