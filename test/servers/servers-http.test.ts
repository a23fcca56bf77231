import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, afterEach, expect, it } from 'vitest'
import { SERVERS } from '../../src/servers/index.ts'

const BIN = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')
const folder = mkdtempSync(join(tmpdir(), 'perigee-servers-'))
const info = { name: 'test', version: '1.0.0' }

const ENVIRONMENT = {
  MOONPHASE_API_KEY: 'sesame',
  BOSSMAN_STORE: `sqlite:${join(folder, 'tasks.db')}`,
  PERIGEE_LOG_LEVEL: 'off',
}

const ending: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a ready server over HTTP, as an operator would, and gives its address. */
async function start(name: string, flags: readonly string[] = []): Promise<URL> {
  const child = spawn(process.execPath, [BIN, 'serve', name, '--http', '--port', '0', ...flags], {
    env: { ...process.env, ...ENVIRONMENT },
  })
  const closed = once(child, 'close')
  ending.push(async () => {
    child.kill('SIGTERM')
    expect((await closed)[0]).toBe(0)
  })
  let printed = ''
  for await (const text of child.stdout) {
    printed += text
    const [, url] = /listening at (\S+)/.exec(printed) ?? []
    if (url !== undefined) return new URL(url)
  }
  throw new Error(`${name} did not start`)
}

it.each(Object.keys(SERVERS))('%s serves real clients of both eras over HTTP', async (name) => {
  const url = await start(name)
  const requestInit = { headers: { 'x-api-token': 'sesame' } }
  const old = new OldClient(info)
  ending.push(() => old.close())
  // The official client's own types disagree under exactOptionalPropertyTypes.
  await old.connect(new OldTransport(url, { requestInit }) as Parameters<OldClient['connect']>[0])
  const { tools } = await old.listTools()
  expect(tools.length).toBeGreaterThan(0)
  const recent = new NewClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  ending.push(() => recent.close())
  await recent.connect(new NewTransport(url, { requestInit }))
  expect((await recent.listTools()).tools.map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name))
})

/** What is served beside the protocol, to whoever has no key: a number by which others can tell that it is there. */
const BESIDE: { readonly [name: string]: { readonly [path: string]: number } } = {
  moonphase: { '/healthz': 404, '/readyz': 404, '/metrics': 200, '/mcp': 401 },
}

it.each(Object.keys(SERVERS))('%s shows its pages to anybody, and nothing else', async (name) => {
  const keys = name === 'moonphase' ? [] : ['--key', 'ann=sesame']
  const url = await start(name, ['--metrics', ...keys])
  const expected = BESIDE[name] ?? { '/healthz': 200, '/readyz': 200, '/metrics': 200, '/mcp': 401 }
  for (const [path, status] of Object.entries(expected)) {
    const answer = await fetch(new URL(path, url))
    await answer.text()
    expect([path, answer.status]).toEqual([path, status])
  }
})
