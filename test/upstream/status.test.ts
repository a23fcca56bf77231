import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { describeGateway } from '../../src/cli/gateway/status.ts'
import { sweepDoors } from '../../src/cli/gateway/sweep-doors.ts'
import { type Client, connect } from '../../src/client/index.ts'
import type { RelayedState } from '../../src/kernel/index.ts'

const PERIGEE = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'bin', 'perigee.js')
const STUB = { command: process.execPath, args: [join(import.meta.dirname, 'quiet.mjs')] }

let folder = ''
let env: { readonly [name: string]: string } = {}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-status-'))
  env = { PERIGEE_HOME: join(folder, 'home') }
})

afterAll(() => rmSync(folder, { recursive: true }))

const write = (mcpServers: object | string) =>
  writeFileSync(
    join(folder, '.mcp.json'),
    typeof mcpServers === 'string' ? mcpServers : JSON.stringify({ mcpServers }),
  )

const gateway = (stderr: (text: string) => void = () => {}) =>
  connect({ command: process.execPath, args: [PERIGEE, 'gateway'], cwd: folder, env, stderr })

function status(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, cwd: folder }
    const child = execFile(
      process.execPath,
      [PERIGEE, 'gateway', 'status', ...args],
      options,
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })
}

const toolsOf = async (client: Client) => (await client.tools()).map(({ name }) => name)

describe('perigee gateway status', { timeout: 60_000 }, () => {
  it('and the next gateway clear away the socket of one that was killed', async ({ skip }) => {
    skip(process.platform === 'win32', 'there it is no file')
    const signs = join(folder, 'home', 'gateways')
    write({ stub: STUB })
    const killed = async () => {
      const client = await gateway()
      const socket = readdirSync(signs).find((name) => name.endsWith('.sock')) ?? ''
      process.kill(Number.parseInt(socket, 10), 'SIGKILL')
      await client.close()
      expect(readdirSync(signs)).toContain(socket)
      return socket
    }
    await killed()
    expect((await status()).code).toBe(3)
    expect(readdirSync(signs)).toEqual([])
    const socket = await killed()
    rmSync(join(signs, socket.replace('.sock', '.json')))
    const next = await gateway()
    await vi.waitFor(() => expect(readdirSync(signs)).not.toContain(socket), 20_000)
    expect(readdirSync(signs)).toHaveLength(2)
    await next.close()
  })

  it('says so when there is none, and clears away what one that was killed has left', async () => {
    const signs = join(folder, 'home', 'gateways')
    mkdirSync(signs, { recursive: true })
    writeFileSync(join(signs, '1.json'), JSON.stringify({ pid: 1, socket: join(signs, '1.sock') }))
    expect(await status()).toEqual({
      code: 3,
      out: '',
      err: 'perigee: no gateway of yours is running. A host starts one by its configuration, you by: perigee gateway\n',
    })
    expect(readdirSync(signs)).toEqual([])
    expect((await status('--json')).out).toBe('[]\n')
  })

  it('says which of them does not answer, and clears away what nobody can read', async ({ skip }) => {
    skip(process.platform === 'win32', 'there sockets are no files')
    const signs = join(folder, 'home', 'gateways')
    const socket = join(folder, 'elsewhere.sock')
    mkdirSync(signs, { recursive: true })
    const hung = createServer().listen(socket)
    await once(hung, 'listening')
    writeFileSync(join(signs, '1.json'), JSON.stringify({ pid: 1, socket }))
    for (const [name, text] of Object.entries({ 2: '{"pid":', 3: '{}' }))
      writeFileSync(join(signs, `${name}.json`), text)
    const line = 'process 1 is a gateway of yours, and does not answer'
    expect(await status()).toEqual({ code: 3, out: '', err: `perigee: ${line}\n` })
    expect(await status('--json')).toEqual({ code: 0, out: '[]\n', err: `${line}\n` })
    expect(readdirSync(signs)).toEqual(['1.json'])
    hung.close()
  })

  it('clears away a socket that stands elsewhere, since the name of the folder is long', async ({ skip }) => {
    skip(process.platform === 'win32', 'there sockets are no files')
    const signs = join(folder, 'home', 'gateways')
    const socket = join(folder, 'left.sock')
    const leave = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', leave])
    writeFileSync(join(signs, '1.json'), JSON.stringify({ pid: 1, socket }))
    await sweepDoors(signs)
    expect([existsSync(socket), readdirSync(signs)]).toEqual([false, []])
  })

  it('does not repeat in a row whose error it is', () => {
    const lastError = { text: 'files: The server ended (node: 3)', time: 0 }
    const upstream = {
      ...{ name: 'files', transport: 'stdio', state: 'ready', leftOut: [], changed: [], offered: {} },
      ...{ revision: null, calls: 0, p50: null, nextTry: null, lastError },
    } as unknown as RelayedState // As far as it is shown.
    const state = {
      pid: 5,
      started: new Date(0).toISOString(),
      serves: '.mcp.json',
      transport: 'http',
    } as const
    const shown = describeGateway({ ...state, upstreams: [upstream] }, 1000)
    expect(shown.split('\n').at(-1)).toMatch(/ - {8,}The server ended \(node: 3\) \(1 s ago\)$/)
  })

  it('shows a long error whole below the table, with what is to be typed', () => {
    const lastError = {
      text: `${'a server that has much to say '.repeat(20)}: perigee gateway login files`,
      time: 0,
    }
    const upstream = {
      name: 'files',
      transport: 'http',
      state: 'signed-out',
      leftOut: [],
      changed: [],
      offered: {},
      p50: null,
      nextTry: null,
      lastError,
    }
    const state = { pid: 5, started: new Date(0).toISOString(), serves: 'a', transport: 'http' } as const
    const upstreams = [upstream as unknown as RelayedState] // What else it has is shown in another test.
    const shown = describeGateway({ ...state, upstreams }, 1000)
    expect(shown.split('\n').at(-1)).toBe(`files: ${lastError.text}`)
  })

  it('shows those that run, while their configuration changes by SIGHUP or because the file does', async () => {
    write({ left: STUB, lost: { command: join(folder, 'nothing') } })
    const said: string[] = []
    await using client = await gateway((text) => said.push(text))
    await client.callTool('left_say')
    const [one] = JSON.parse((await status('--json')).out)
    expect(one).toMatchObject({ serves: '.mcp.json', transport: 'stdio' })
    expect(one.upstreams).toEqual([
      expect.objectContaining({
        ...{ name: 'left', transport: 'stdio', revision: '2025-03-26', state: 'ready', calls: 1, failed: 0 },
        p50: expect.any(Number),
        offered: { tools: 1, resources: 0, templates: 0, prompts: 0 },
      }),
      expect.objectContaining({ name: 'lost', state: 'unreachable', lastError: expect.anything() }),
    ])
    const shown = (await status()).out
    expect(shown).toMatch(/^\.mcp\.json, stdio, process \d+, running for/)
    expect(shown).toMatch(/^left +2025-03-26 +stdio +ready +1 +1 +[\d.]+ ms +- +-$/m)
    expect(shown).toMatch(
      /^lost +- +stdio +unreachable +0 +0 +- +(?:in \d+ s|-) +The server could not be started: /m,
    )

    write('{ "mcpServers": ')
    process.kill(one.pid, 'SIGHUP')
    await vi.waitFor(() => expect(said.join('')).toContain('What was configured before stands'), 20_000)
    expect(await toolsOf(client)).toEqual(['left_say'])
    write({ left: STUB, right: STUB })
    await vi.waitFor(async () => expect(await toolsOf(client)).toEqual(['left_say', 'right_say']), 20_000)
    expect(JSON.parse((await status('--json')).out)[0].upstreams).toMatchObject([
      { name: 'left', calls: 1 },
      { name: 'right', calls: 0 },
    ])
  })

  it('shows what there is to mend', () => {
    const upstream: RelayedState = {
      ...{
        name: 'files',
        transport: 'http',
        address: 'https://a.example/mcp',
        revision: null,
        calls: 3,
        failed: 1,
      },
      ...{ state: 'signed-out', offered: { tools: 2 }, underway: 0, p50: 12.5, nextTry: 9000 },
      lastError: { text: 'files wants you to sign in:\u001b[2J perigee gateway login files', time: 1000 },
      leftOut: [
        'files: the tool x is left out: there is one of this name already. Give files another prefix',
      ],
      changed: [{ tool: 'read', hash: 'sha256:0', seen: '2026-11-16T00:00:00.000Z' }],
      pins: '/home/me/.mcp.pins.json',
    }
    const started = new Date(0).toISOString()
    const state = { pid: 5, started, serves: '.mcp.json', transport: 'http', upstreams: [upstream] } as const
    expect(describeGateway(state, 4000)).toBe(
      [
        '.mcp.json, http, process 5, running for 4 s',
        '',
        'name   revision  transport  state       tools  calls  p50    next try  last error',
        'files  -         http       signed-out  2      3      13 ms  in 5 s    files wants you to sign in:\\u001b[2J perigee gateway login files (3 s ago)',
        '',
        'files: the tool x is left out: there is one of this name already. Give files another prefix',
        'files: read has changed since it was approved. See and approve: perigee gateway approve files/read --pins /home/me/.mcp.pins.json',
      ].join('\n'),
    )
  })
})
