import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const PERIGEE = join(ROOT, 'dist', 'cli', 'bin', 'perigee.js')
const folder = mkdtempSync(join(tmpdir(), 'workers-test-'))
const PATIENCE = { timeout: 60_000, interval: 50 }

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A server that says which process it is, and can be made to fail at its start. */
const FILE = join(folder, 'server.mjs')
writeFileSync(
  FILE,
  `import { existsSync } from 'node:fs'
import { defineServer } from ${JSON.stringify(join(ROOT, 'dist', 'index.js'))}
if (existsSync(process.env.BROKEN ?? '/nowhere')) throw new Error('cannot start')
export default defineServer({
  name: 'crew',
  version: '1.0.0',
  tools: [{ name: 'pid', run: () => String(process.pid) }],
})
`,
)

interface Running {
  readonly child: ChildProcess
  readonly url: string
  readonly written: { out: string; err: string }
  readonly ended: Promise<number | string | null>
}

function spawnPerigee(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [PERIGEE, 'serve', ...args], {
    env: { ...process.env, TMPDIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { out: '', err: '' }
  child.stdout.on('data', (text) => {
    written.out += text
  })
  child.stderr.on('data', (text) => {
    written.err += text
  })
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { child, written, ended }
}

async function start(flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const started = spawnPerigee([FILE, '--http', '--port', '0', '--workers', '2', ...flags], env)
  const isUp = () => /http:\S+/.test(started.written.out)
  await expect.poll(() => isUp() || started.child.exitCode !== null, PATIENCE).toBe(true)
  expect(started.written.err).toBe('')
  const [url = ''] = /http:\S+/.exec(started.written.out) ?? []
  return { ...started, url }
}

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  connection: 'close', // So that each request may go to another worker.
}

/** Whatever hangs is noticed. */
const patience = () => AbortSignal.timeout(30_000)

async function post(url: string, method: string, params: object, headers = {}): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body, signal: patience() })
}

async function open(url: string): Promise<object> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  const response = await post(url, 'initialize', params)
  await response.text()
  return { 'mcp-session-id': response.headers.get('mcp-session-id') }
}

/** Which process answers. */
async function pid(url: string, session: object): Promise<number> {
  const response = await post(url, 'tools/call', { name: 'pid', arguments: {} }, session)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return Number(JSON.parse(text).result.content[0].text)
}

/** All that answer, when there are so many of them. */
async function pids(url: string, session: object, count = 2): Promise<number[]> {
  const found = new Set<number>()
  await expect.poll(async () => found.add(await pid(url, session)).size, PATIENCE).toBe(count)
  return [...found].sort((one, other) => one - other)
}

const isAlive = (id: number) => {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

async function counted(url: string, name: string): Promise<number> {
  const text = await (await fetch(url.replace('/mcp', '/metrics'))).text()
  const lines = text.split('\n').filter((line) => line.startsWith(name))
  expect(lines.length, name).toBe(1)
  return Number(lines[0]?.split(' ').at(-1))
}

const CALLS = 'mcp_server_tool_calls_total{tool="pid",outcome="ok"}'

describe('workers', () => {
  it('serve one session between them, and are all gone in the end, with what they shared', async () => {
    const { url, child, ended, written } = await start()
    const session = await open(url)
    const ids = await pids(url, session)
    expect(written.out.match(/is listening at/g)).toHaveLength(1)
    child.kill('SIGTERM')
    expect(await ended, written.err).toBe(0)
    expect(ids.map(isAlive)).toEqual([false, false])
    expect(readdirSync(folder).filter((name) => name.startsWith('perigee-workers-'))).toEqual([])
  })

  it('count together, also what one of them has counted that is gone', async () => {
    const { url, written } = await start(['--metrics'])
    const session = await open(url)
    const [first = 0] = await pids(url, session)
    const before = await counted(url, CALLS)
    for (let more = 0; more < 4; more++) await pid(url, session)
    expect(await counted(url, CALLS)).toBe(before + 4)
    process.kill(first, 'SIGKILL')
    await expect.poll(() => written.err, PATIENCE).toContain(`worker ${first} has ended (SIGKILL)`)
    expect(await counted(url, CALLS)).toBe(before + 4)
  })

  it('are replaced when they die, and sessions go on', async () => {
    const { url } = await start()
    const session = await open(url)
    const before = await pids(url, session)
    process.kill(before[0] ?? 0, 'SIGKILL')
    await expect
      .poll(async () => {
        const now = await pids(url, session)
        return now.includes(before[1] ?? 0) && !now.includes(before[0] ?? 0)
      }, PATIENCE)
      .toBe(true)
  })

  it('are replaced one after the other on SIGHUP, and nobody is turned away meanwhile', async () => {
    const { url, child, written } = await start(['--log-level', 'notice'])
    const session = await open(url)
    const before = await pids(url, session)
    child.kill('SIGHUP')
    let asked = 0
    while (!written.err.includes('2 workers have been replaced')) {
      await pid(url, session)
      asked++
    }
    expect(asked).toBeGreaterThan(0)
    const after = await pids(url, session)
    expect(after.filter((id) => before.includes(id))).toEqual([])
    for (const line of written.err.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('logger')
  })

  it('stay as they are when new ones do not start', async () => {
    const broken = join(folder, 'broken')
    const { url, child, written } = await start([], { BROKEN: broken })
    const session = await open(url)
    const before = await pids(url, session)
    writeFileSync(broken, '')
    onTestFinished(() => rmSync(broken, { force: true }))
    child.kill('SIGHUP')
    await expect
      .poll(() => written.err, PATIENCE)
      .toContain('a new worker ended with 1: the restart stops here')
    expect(JSON.parse(written.err)).toMatchObject({
      message: expect.stringMatching(/does not load: cannot start; a new worker ended/),
      stack: [expect.stringMatching(/^at .*server\.mjs:3:/)],
    })
    expect(await pids(url, session)).toEqual(before)
  })

  it('end when whoever has started them is killed, and leave nothing', async () => {
    const temporary = mkdtempSync(join(folder, 'killed-'))
    const { url, child } = await start([], { TMPDIR: temporary })
    const ids = await pids(url, await open(url))
    child.kill('SIGKILL')
    await expect.poll(() => ids.map(isAlive), PATIENCE).toEqual([false, false])
    expect(readdirSync(temporary)).toEqual([])
  })

  it('share what the server in the file names, where that can be shared', async () => {
    const file = join(folder, 'own.mjs')
    const store = `sqlite:${join(folder, 'own.db')}`
    writeFileSync(
      file,
      `import { defineServer } from ${JSON.stringify(join(ROOT, 'dist', 'index.js'))}
export default defineServer({ name: 'own', version: '1', store: ${JSON.stringify(store)} })
`,
    )
    const { written } = spawnPerigee([file, '--http', '--port', '0', '--workers', '1'])
    await expect.poll(() => written.out, PATIENCE).toContain('listening at')
    const [url = ''] = /http:\S+/.exec(written.out) ?? []
    expect(await (await fetch(url.replace('/mcp', '/readyz'))).json()).toMatchObject({
      store: 'sqlite:own.db',
    })
  })
})

describe('what cannot be is said at once', () => {
  it.each([
    [['--http', '--workers', '0'], 2, '--workers: expected a number from 1 to 256, or auto'],
    [['--http', '--workers', 'many'], 2, 'or auto for one a processor, got "many"'],
    [['--http', '--workers', '-1'], 2, 'or auto for one a processor, got "-1"'],
    [['--http', '--workers', '1.5'], 2, 'or auto for one a processor, got "1.5"'],
    [['--workers', '2'], 2, '--workers is for HTTP, and this would serve on stdin and stdout: add --http'],
    [['--http', '--workers', '2', '--store', 'memory:'], 2, '--store: workers cannot share memory:'],
    [['--http', '--workers', '2', '--path', 'mcp'], 2, 'path: expected a path such as /mcp'],
  ])('%j', async (flags, code, message) => {
    const { ended, written } = spawnPerigee([FILE, ...flags])
    expect(await ended, written.err).toBe(code)
    expect(written.err.split('\n').filter((line) => line.includes(message))).toHaveLength(1)
    expect(written.out).toBe('')
  })

  it('also by the first worker, and by no other', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    onTestFinished(() => void holder.close())
    const { port } = holder.address() as AddressInfo
    const { ended, written } = spawnPerigee([FILE, '--http', '--workers', '2', '--port', String(port)])
    expect(await ended).toBe(2)
    expect(written.err.match(/is in use already/g)).toHaveLength(1)
  })
})

it.each(['workbench', 'ccmcp', 'bossman', 'primer', 'bb-mcp-server', 'moonphase'])(
  '%s is served by workers as well',
  async (name) => {
    const env = { MOONPHASE_API_KEY: 'sesame', XDG_DATA_HOME: folder }
    const { written, child, ended } = spawnPerigee([name, '--http', '--port', '0', '--workers', '1'], env)
    await expect.poll(() => written.out + written.err, PATIENCE).toContain('listening at')
    child.kill('SIGTERM')
    expect(await ended, written.err).toBe(0)
  },
)
