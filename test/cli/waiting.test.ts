import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CURIOUS, PERIGEE, perigee } from './run.ts'

/** One that takes every request and answers none. */
let silent: Server
let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-waiting-'))
  silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
})

afterAll(() => {
  silent.closeAllConnections()
  silent.close()
  rmSync(folder, { recursive: true })
})

const GIVEN_UP = 'a request of which nothing is heard for 2.5 s is given up (--timeout SECONDS)'

describe('whoever waits for a server that does not answer', { timeout: 60_000 }, () => {
  it.each([['tools'], ['call', 'add'], ['read', 'a://b'], ['prompt', 'p'], ['ping'], ['watch']])(
    'is told for whom and for how long, and not for ever: %s',
    async (...words) => {
      const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`
      const { status, stderr } = await perigee([
        ...words,
        ...['--timeout', '2.5', '--url', `http://${host}/mcp`],
      ])
      expect(stderr.split('\n')).toEqual([
        `waiting for ${host} to answer the greeting (server/discover, then initialize); ${GIVEN_UP}`,
        `perigee: ${host} said nothing for 2.5 s; --timeout SECONDS gives it longer`,
        '',
      ])
      expect(status).toBe(4)
    },
  )

  it('is told which request it is', async () => {
    const { status, stderr } = await perigee(['call', 'wait', '--timeout', '2.5', ...CURIOUS])
    expect(stderr).toContain(`to answer tools/call wait; ${GIVEN_UP}`)
    expect(status).toBe(4)
  })

  it('is told at once of a server behind another that cannot be reached, although a third is awaited', async () => {
    const file = join(folder, '.mcp.json')
    const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`
    const gone = { command: 'no-such-command-anywhere' }
    writeFileSync(file, JSON.stringify({ mcpServers: { gone, slow: { url: `http://${host}/mcp` } } }))
    const gateway = [process.execPath, PERIGEE, 'gateway', '--from', file, '--log-level', 'off']
    const { status, stderr } = await perigee(['call', 'gone_x', '--', ...gateway])
    expect(stderr).toMatch(/gone_x failed: gone .*no-such-command-anywhere/)
    expect(status).toBe(1)
  })

  it('ends it with all that it has started by Ctrl-C', async () => {
    const pids = join(folder, 'pids')
    const script = `sleep 1000 & echo $$ $! > '${pids}'; wait`
    const child = spawn(process.execPath, [PERIGEE, 'tools', '--', 'sh', '-c', script])
    const closed = once(child, 'close')
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await vi.waitFor(() => expect(said).toContain('waiting for sh -c'), { timeout: 30_000 })
    child.kill('SIGINT')
    expect(await closed).toEqual([130, null])
    const started = readFileSync(pids, 'utf8').trim().split(' ').map(Number)
    expect(started).toHaveLength(2)
    await vi.waitFor(() => expect(started.filter(runs)).toEqual([]), { timeout: 20_000 })
  })
})

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
