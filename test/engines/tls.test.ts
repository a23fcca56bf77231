import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startRedis } from '../../scripts/redis.mjs'
import { initialize } from '../http/messages.ts'
import { LineProcess } from '../setup/process.ts'
import { startEngine } from './engine.ts'

const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')

const ACCEPT = 'application/json, text/event-stream'

const engineOr = await startEngine('Redis that speaks TLS', () => startRedis({ tls: true }))

function start(store: string, env: { readonly [name: string]: string } = {}): LineProcess {
  const child = new LineProcess(PERIGEE, {
    args: ['serve', 'ccmcp', '--http', '--port', '0', '--store', store, '--log-level', 'off'],
    env: { PERIGEE_SECRET: 'what nobody can guess', ...env },
  })
  onTestFinished(() => child.kill())
  return child
}

it('nodes share a Redis over TLS, whose authority the operator names', async (context) => {
  const { url, ca = '' } = engineOr(context)
  const trusting = { NODE_EXTRA_CA_CERTS: ca }
  const [a, b] = [start(url, trusting), start(url.replace('127.0.0.1', 'localhost'), trusting)]
  const urls = await Promise.all(
    [a, b].map(async (child) => /http:\S+/.exec(String(await child.lines.next()))?.[0] ?? child.stderr),
  )
  const send = (at: number, body: object, headers = {}) =>
    fetch(urls[at] ?? '', {
      method: 'POST',
      headers: { accept: ACCEPT, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const opened = await send(0, initialize())
  const session = { 'mcp-session-id': String(opened.headers.get('mcp-session-id')) }
  const there = await send(1, { jsonrpc: '2.0', id: 1, method: 'ping' }, session)
  expect([there.status, await there.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }])
})

it('a Redis whose authority is not known is refused, with what would help', async (context) => {
  const { url } = engineOr(context)
  const child = start(url)
  expect(await child.end()).toBe(1)
  expect(child.stderr).toMatch(
    /^perigee: The Redis server 127\.0\.0\.1:\d+ has a certificate of an authority/,
  )
  expect(child.stderr).toContain('NODE_EXTRA_CA_CERTS')
  expect(child.stderr).not.toContain('correct-horse')
})

it('a Redis that speaks TLS is not spoken to without', async (context) => {
  const { url } = engineOr(context)
  const child = start(url.replace('rediss:', 'redis:'))
  expect(await child.end()).toBe(1)
  expect(child.stderr).toContain('whether it wants TLS (rediss://)')
})
