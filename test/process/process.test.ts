import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'

const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')
const LATE = join(import.meta.dirname, 'late.mjs')

const HANGING = join(import.meta.dirname, 'hanging-close.mjs')

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

interface Running {
  readonly child: ChildProcess
  readonly url: string
  readonly written: { stdout: string; stderr: string }
  readonly ended: Promise<number | string | null>
}

async function start(args: readonly string[], stderr: 'pipe' | number = 'pipe'): Promise<Running> {
  const child = spawn(process.execPath, [...args], { stdio: ['pipe', 'pipe', stderr] })
  children.push(child)
  const written = { stdout: '', stderr: '' }
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  child.stderr?.on('data', (text) => {
    written.stderr += text
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (text) => {
      written.stdout += text
      const [found] = /http:\S+/.exec(written.stdout) ?? []
      if (found !== undefined) resolve(found)
    })
    void ended.then(() => reject(new Error(`it has ended: ${written.stderr}`)))
  })
  return { child, url, written, ended }
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

async function post(url: string, method: string, params: object, session = {}): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return fetch(url, { method: 'POST', headers: { ...HEADERS, ...session }, body })
}

async function open(url: string): Promise<object> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  const response = await post(url, 'initialize', params)
  await response.text()
  return { 'mcp-session-id': response.headers.get('mcp-session-id') }
}

/** Calls a tool in a session of its own, and gives the text of the answer. */
async function call(url: string, name: string): Promise<string> {
  return (await post(url, 'tools/call', { name, arguments: {} }, await open(url))).text()
}

const WORKBENCH = [PERIGEE, 'serve', 'workbench', '--port', '0', '--log-level', 'debug']

describe('a log over HTTP that cannot be written', () => {
  it('because the disk is full does not end the server', async ({ skip }) => {
    skip(process.platform !== 'linux', 'only Linux has /dev/full')
    const full = openSync('/dev/full', 'w')
    const { url, child } = await start(WORKBENCH, full)
    closeSync(full)
    for (let count = 0; count < 5; count++) expect(await call(url, 'hello')).toContain('"id":1')
    expect(child.exitCode).toBeNull()
  })

  it('because its reader is gone does not end the server', async () => {
    const { url, child } = await start(WORKBENCH)
    child.stderr?.destroy()
    for (let count = 0; count < 5; count++) expect(await call(url, 'hello')).toContain('"id":1')
    expect(child.exitCode).toBeNull()
  })

  it('because its reader does not read is dropped past a bound', async () => {
    const { url, child } = await start([LATE])
    child.stderr?.removeAllListeners('data').pause()
    const [, kept] = /"kept (\d+)"/.exec(await call(url, 'prattle')) ?? []
    expect(Number(kept)).toBeGreaterThan(500_000)
    expect(Number(kept)).toBeLessThan(2_000_000)
  })

  it('on stdout, which nobody reads either, does not end the server', async () => {
    const { url, child } = await start(WORKBENCH)
    child.stdout?.destroy()
    expect(await call(url, 'hello')).toContain('"id":1')
    expect(child.exitCode).toBeNull()
  })
})

describe('what a tool forgot to catch', () => {
  it('does not end a server over HTTP, and is told with its stack', async () => {
    const { url, child, written } = await start([LATE])
    for (const name of ['throw', 'reject', 'untouchable'])
      expect(await call(url, name)).toContain('so far so good')
    expect(await call(url, 'slow')).toContain('done at last')
    expect(child.exitCode).toBeNull()
    expect(written.stderr).toMatch(/uncaught exception crashed: Error: thrown too late\n {4}at .*late\.mjs/)
    expect(written.stderr).toMatch(
      /unhandled rejection crashed: Error: rejected too late\n {4}at .*late\.mjs/,
    )
  })

  it('neither ends it nor keeps it busy when no stack can be read, whether or not observers fail as well', async () => {
    const { url, child, written } = await start([LATE])
    for (const name of ['stackless', 'slow', 'stackless_observer', 'stackless', 'slow'])
      expect(await call(url, name)).toMatch(/so far so good|done at last/)
    expect(child.exitCode).toBeNull()
    expect(written.stderr).toContain('uncaught exception crashed: Error: thrown without a stack')
    expect(written.stderr).toContain('An observer failed: told without a stack')
    expect(written.stderr).not.toContain('More than 100 uncaught errors')
  })

  it('has an end also where whoever is told of it forgets something each time', async () => {
    const { url, child, written } = await start([LATE])
    for (const name of ['forgetful_observer', 'reject'])
      expect(await call(url, name)).toContain('so far so good')
    expect(await call(url, 'slow')).toContain('done at last')
    expect(child.exitCode).toBeNull()
    expect(written.stderr).toContain('unhandled rejection crashed: Error: told in vain')
    expect(written.stderr.match(/tells of no more of them/g)).toHaveLength(1)
  })

  it('does not end it either when there is much of it, so that nobody who calls such a tool ends it for others', async () => {
    const { url, child, written } = await start([LATE])
    for (let storms = 0; storms < 3; storms++) expect(await call(url, 'storm')).toContain('so far so good')
    expect(await call(url, 'slow')).toContain('done at last')
    expect(child.exitCode).toBeNull()
    expect(written.stderr).toContain('More than 100 uncaught errors within 10 s: the server goes on')
  })
})

describe('a signal, in a program of one’s own', () => {
  it('ends it when what is under way is answered', async () => {
    const { url, child, ended, written } = await start([LATE])
    const session = await open(url)
    const slow = post(url, 'tools/call', { name: 'slow', arguments: {} }, session)
    await expect.poll(() => written.stderr).toContain('slow has begun')
    child.kill('SIGTERM')
    expect(await (await slow).text()).toContain('done at last')
    expect(await ended).toBe(0)
  })

  it('is left to a program that listens for it itself', async () => {
    const { url, child, written } = await start([LATE, 'own'])
    child.kill('SIGTERM')
    await expect.poll(() => written.stdout).toContain('heard it myself')
    expect(await call(url, 'slow')).toContain('done at last')
  })
})

it('waits for a module that does not close, tells of it, and closes the others', async () => {
  const child = spawn(process.execPath, [HANGING], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const said = { out: '', err: '' }
  child.stdout?.on('data', (text) => (said.out += text))
  child.stderr?.on('data', (text) => (said.err += text))
  const [code] = await once(child, 'close')
  expect([code, said.out]).toEqual([0, 'first closed\nclosed\n'])
  expect(said.err).toContain('The module hangs did not close within 10 s')
})
