import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { compile } from '../../scripts/compile.mjs'
import { defineServer } from '../../src/authoring/define-server.ts'
import { connect } from '../../src/client/index.ts'
import { createTestClient, serveHttp } from '../../src/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import { LineProcess } from '../setup/process.ts'

const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')
const STUBBORN = { command: process.execPath, args: [join(import.meta.dirname, 'stubborn.mjs')] }

/** Longer than the link of a session is kept that nobody uses. */
const WARM_MS = 3000

let script = ''

beforeAll(async () => {
  script = await compile(join(import.meta.dirname, 'serve-gateway.ts'))
})

afterAll(() => rmSync(dirname(script), { recursive: true }))

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function pidsOf(client: {
  callTool(name: string): Promise<{ content: readonly object[] }>
}): Promise<number[]> {
  // On a busy machine a process takes longer to begin than a server waits for it.
  const { content } = await vi.waitFor(() => client.callTool('pids'), { timeout: 20_000, interval: 100 })
  return (content[0] as { text: string }).text.split(' ').map(Number)
}

interface Running {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

async function running(): Promise<readonly Running[]> {
  const ps = spawn('ps', ['-eo', 'pid=,ppid=,args='])
  let said = ''
  for await (const chunk of ps.stdout) said += chunk
  return said.split('\n').map((line) => {
    const [pid, parent, ...command] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), command: command.join(' ') }
  })
}

const watchersOf = async (gateway: number) =>
  (await running())
    .filter(({ parent, command }) => parent === gateway && command.startsWith('/bin/sh -c trap'))
    .map(({ pid }) => pid)

const gone = (pids: readonly number[]) =>
  vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 20_000, interval: 100 })

/** Calls a tool in a session, as a client that keeps no stream open. */
async function callAlone(url: string, session?: string): Promise<{ session: string; pids: number[] }> {
  const post = (body: object, headers = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    })
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
  const opened =
    session ?? (await post({ id: 1, method: 'initialize', params })).headers.get('mcp-session-id')
  const headers = { 'mcp-session-id': String(opened) }
  if (session === undefined) await post({ method: 'notifications/initialized' }, headers)
  const answer = await post({ id: 2, method: 'tools/call', params: { name: 'pids' } }, headers)
  const [, pids = ''] = /"text":"([\d ]+)"/.exec(await answer.text()) ?? []
  return { session: String(opened), pids: pids.split(' ').map(Number) }
}

describe('the processes of an upstream', { timeout: 60_000 }, () => {
  it('are ended with the server, and so is what they have started', async () => {
    const noted: string[] = []
    const gateway = defineServer({
      name: 'gateway',
      version: '1',
      modules: [upstream('behind', STUBBORN)],
      observe: (event) => void (event.kind === 'noted' && noted.push(event.message)),
      reports: true,
    })
    const pids = await pidsOf(await createTestClient(gateway))
    expect(pids.filter(isAlive)).toHaveLength(2)
    expect(noted).toContain('behind: I am here to stay')
    await gateway.close()
    await gone(pids)
  })

  it('are told to go once, also where whoever has started them goes first', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-told-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'told')
    const args = ['-c', '"$@"; true', 'sh', STUBBORN.command, ...STUBBORN.args, '1200', file]
    const modules = [upstream('behind', { command: 'sh', args })]
    const gateway = defineServer({ name: 'gateway', version: '1', modules })
    const pids = await pidsOf(await createTestClient(gateway))
    await gateway.close()
    await gone(pids)
    const told = readFileSync(file, 'utf8').trim().split('\n')
    expect(told).toContain(String(pids[0]))
    expect(told).toEqual([...new Set(told)])
  })

  it('are those of a session for as long as it lasts, also when it has not been used for a while', async () => {
    const gateway = defineServer({ name: 'gateway', version: '1', modules: [upstream('behind', STUBBORN)] })
    const http = await serveHttp(gateway)
    onTestFinished(async () => void (await http.close(0)))
    const [first, other] = [await callAlone(http.url), await callAlone(http.url)]
    expect(other.pids).not.toEqual(first.pids)
    await setTimeout(WARM_MS)
    expect(await callAlone(http.url, first.session)).toEqual(first)
    expect(await callAlone(http.url, other.session)).toEqual(other)
    await fetch(http.url, { method: 'DELETE', headers: { 'mcp-session-id': first.session } })
    await gone(first.pids)
    expect(other.pids.filter(isAlive)).toHaveLength(2)
  })

  it.each([
    ['do not go when they are told to', []],
    ['go at last, and leave somebody behind who does not', ['1900']],
  ])(
    'are ended by a signal to the gateway without a word of a crash, also where they %s',
    async (_who, more) => {
      const command = [STUBBORN.command, ...STUBBORN.args, ...more]
      const gateway = new LineProcess(PERIGEE, { args: ['gateway', '--', ...command] })
      onTestFinished(() => gateway.kill())
      const clientInfo = { name: 'a', version: '1' }
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
      const post = (message: object) => gateway.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      post({ id: 0, method: 'initialize', params })
      post({ method: 'notifications/initialized' })
      let said = ''
      for (let id = 1; !said.includes('"text":'); id++) {
        post({ id, method: 'tools/call', params: { name: 'pids' } })
        while (!said.includes(`"id":${id}`)) said = String(await gateway.lines.next())
      }
      const [, pids = ''] = /"text":"([\d ]+)"/.exec(said) ?? []
      gateway.signal('SIGTERM')
      const left: unknown[] = []
      for (let line = await gateway.lines.next(); line !== undefined; line = await gateway.lines.next())
        left.push(line)
      expect([await gateway.end(), left]).toEqual([0, []])
      expect(gateway.stderr).not.toContain('crashed')
      await gone(pids.split(' ').map(Number))
    },
  )

  it.each([
    ['', false],
    [', also after whoever watches it was', true],
  ])('are ended when the server is killed%s', async (_when, isUnwatched) => {
    const command = { command: process.execPath, args: [script, STUBBORN.command, ...STUBBORN.args] }
    const client = await connect(command)
    const pids = await pidsOf(client)
    const gateway = (await running()).find(({ pid }) => pid === pids[0])?.parent
    if (gateway === undefined) throw new Error('there is no such process')
    if (isUnwatched) {
      const [first = 0] = await watchersOf(gateway)
      process.kill(first, 'SIGKILL')
      await expect
        .poll(() => watchersOf(gateway), { timeout: 20_000, interval: 100 })
        .toEqual([expect.not.toSatisfy((pid) => pid === first)])
    }
    process.kill(gateway, 'SIGKILL')
    await client.close().catch(() => {})
    await gone(pids)
  })
})
