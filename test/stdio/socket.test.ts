import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, connect as dial, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { defineServer } from '../../src/index.ts'
import { type ServeSocketOptions, serveSocket } from '../../src/transports/stdio/socket.ts'
import { PERIGEE } from '../cli/run.ts'

let folder = ''
const closing: (() => unknown)[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-socket-'))
})

afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
  rmSync(folder, { recursive: true })
})

const HELLO = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})
const callOf = (name: string, id: number) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } })

/** Which rights the files that a process makes do not get, as far as the system tells. */
const maskOf = (id: unknown) => {
  const status = `/proc/${id}/status`
  return existsSync(status) ? /^Umask:.*$/m.exec(readFileSync(status, 'utf8'))?.[0] : undefined
}

const place = () => join(folder, 's')

function define() {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const server = defineServer({
    name: 'notes',
    version: '1',
    tools: [
      { name: 'who', run: (_args, call) => String(call.peer.info?.name) },
      { name: 'held', run: () => held.then(() => 'let go') },
      { name: 'large', run: () => 'x'.repeat(900_000) },
    ],
  })
  return { server, release }
}

async function serve(options: Partial<ServeSocketOptions> = {}, { server, release } = define()) {
  const listening = await serveSocket(server, { path: place(), supervise: false, ...options })
  closing.push(() => listening.close(0))
  return { listening, server, release }
}

async function call(name: string) {
  const client = await connect({ socket: place() }, { info: { name, version: '1' } })
  closing.push(() => client.close())
  return { client, answer: client.callTool('who', {}) }
}

describe('a server on a socket', () => {
  it('holds a conversation of its own with each who connects', async () => {
    await serve()
    const names = ['ann', 'bob', 'cid', 'dan']
    const calls = await Promise.all(names.map(call))
    const answers = await Promise.all(calls.map(({ answer }) => answer))
    expect(answers.map(({ content }) => content)).toEqual(names.map((text) => [{ type: 'text', text }]))
  })

  it('takes up what many say at once little by little, so that whatever else there is has its turn', async () => {
    let running = true
    let here = 0
    const heres: number[] = []
    const run = () => {
      here++
      for (const begun = performance.now(); performance.now() - begun < 3; ); // As long as a stretch lasts.
      return 'done'
    }
    await serve(
      {},
      { server: defineServer({ name: 'busy', version: '1', tools: [{ name: 'busy', run }] }), release() {} },
    )
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect({ socket: place() })))
    closing.push(...clients.map((client) => () => client.close()))
    const count = () => {
      heres.push(here)
      here = 0
      if (running) setImmediate(count)
    }
    count()
    await Promise.all(
      clients.flatMap((client) => Array.from({ length: 10 }, () => client.callTool('busy', {}))),
    )
    running = false
    heres.push(here)
    expect(heres.reduce((sum, one) => sum + one)).toBe(40)
    expect(Math.max(...heres)).toBeLessThan(5)
  })

  it('is for its user alone, and takes its socket away at the end', async () => {
    const { listening } = await serve()
    expect((statSync(place()).mode & 0o777).toString(8)).toBe('600')
    expect(await listening.close()).toBe(true)
    expect(existsSync(place())).toBe(false)
  })

  it('leaves its process with the mask for new files that it had', async () => {
    const serving = spawn(process.execPath, [PERIGEE, 'serve', 'primer', '--socket', place()])
    closing.push(() => serving.kill())
    await once(serving.stderr, 'data')
    expect(maskOf(serving.pid)).toBe(maskOf('self'))
  })

  it('is refused where another listens, which goes on', async () => {
    await serve()
    await expect(serve()).rejects.toThrow(`socket: a server listens at ${place()} already`)
    await expect((await call('ann')).answer).resolves.toBeDefined()
  })

  it('takes the place of one that was killed', async () => {
    const listen = `require('net').createServer().listen(${JSON.stringify(place())}, () => console.log(1))`
    const killed = spawn(process.execPath, ['-e', listen])
    await once(killed.stdout, 'data')
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    expect(existsSync(place())).toBe(true)
    await serve()
    await expect((await call('ann')).answer).resolves.toBeDefined()
  })

  it('overwrites nothing that is no socket', async () => {
    writeFileSync(place(), 'a diary')
    await expect(serve()).rejects.toThrow(`socket: ${place()} is there already, and is no socket`)
  })

  it.each([
    ['a folder that is not there', () => join(folder, 'nowhere', 's'), 'socket: there is no folder '],
    ['a path that is too long', () => join(folder, 'x'.repeat(200)), "a socket's path may have 103"],
  ])('says what is wrong with %s', async (_what, path, message) => {
    await expect(serve({ path: path() })).rejects.toThrow(message)
  })

  it.each([
    ['when it closes', () => {}],
    ['where nobody can listen', () => rmSync(folder, { recursive: true })],
  ])('lets go of what it has opened %s', async (when, open) => {
    const told: string[] = []
    const module = { name: 'folder', open, close: () => void told.push('closed') }
    const server = defineServer({ name: 'notes', version: '1', modules: [module] })
    const serving = serve({}, { server, release: () => {} })
    if (when === 'when it closes') await (await serving).listening.close()
    else await expect(serving).rejects.toThrow(`socket: cannot listen at ${place()}`)
    expect(told).toEqual(['closed'])
    mkdirSync(folder, { recursive: true })
  })

  it('answers what is under way before it closes', async () => {
    const { listening, release } = await serve()
    const { client } = await call('ann')
    const answer = client.callTool('held', {})
    await client.tools()
    const closed = listening.close()
    release()
    expect(await answer).toMatchObject({ content: [{ text: 'let go' }] })
    expect(await closed).toBe(true)
  })

  it('answers what it no longer waits for with errors', async () => {
    const { listening } = await serve()
    const { client } = await call('ann')
    const answer = client.callTool('held', {}).catch((error: Error) => error.message)
    await client.tools()
    expect(await listening.close(20)).toBe(false)
    expect(await answer).toContain('is closing: it may have been carried out or not')
  })

  it('hangs up before it leaves, so that a client which still writes is not cut off', async () => {
    const { listening, release } = await serve()
    const socket = dial(place())
    const gone = once(socket, 'close')
    const heard: string[] = []
    socket.on('error', (error) => heard.push(error.message))
    createInterface({ input: socket }).on('line', (line) => heard.push(line))
    socket.write(`${HELLO}\n`)
    await expect.poll(() => heard.length).toBe(1)
    socket.write(`${callOf('held', 2)}\n${callOf('who', 3)}\n`)
    await expect.poll(() => heard.length).toBe(2)
    const closed = listening.close()
    socket.write(`${callOf('who', 4)}\n`.repeat(1000))
    release()
    expect(await closed).toBe(true)
    await gone
    expect(heard.map((line) => JSON.parse(line).id)).toEqual([1, 3, 2])
  })

  it('gives a client that says nothing and stays half a second to leave, and no more', async () => {
    const { listening } = await serve()
    const socket = dial({ path: place(), allowHalfOpen: true })
    closing.push(() => socket.destroy())
    socket.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    await once(socket, 'data')
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const left = vi.fn()
    const closed = listening.close().finally(left)
    await once(socket, 'end')
    vi.advanceTimersByTime(499)
    await new Promise(setImmediate)
    expect(left).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(await closed).toBe(true)
  })

  it('answers a client that has closed its end, and forgets one that has left', async () => {
    const { server, release } = await serve({ finishMs: 100 })
    const socket = dial({ path: place(), allowHalfOpen: true })
    const lines = createInterface({ input: socket })
    const heard = once(lines, 'line')
    socket.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    expect(JSON.parse(String((await heard)[0]))).toMatchObject({ id: 1 })
    await once(socket, 'close')
    const { client } = await call('ann')
    const lost = client.callTool('held', {}).catch(() => 'lost')
    await client.tools()
    expect(server.usage.read('maxConnections')).toBe(1)
    await client.close()
    expect(await lost).toBe('lost')
    await expect.poll(() => server.usage.read('maxConnections')).toBe(0)
    await expect.poll(() => server.usage.read('maxCallsPerPipe')).toBe(0)
    release()
  })

  it('closes further connections at once, and serves the others', async () => {
    await serve({ maxConnections: 2 })
    const first = await call('ann')
    await call('bob')
    const third: Socket = dial(place())
    await once(
      third.on('error', () => {}),
      'close',
    )
    await expect(first.answer).resolves.toBeDefined()
  })
})

/** A connection by hand that reads what it is told, or nothing. */
async function dialIn(reads: boolean): Promise<{ socket: Socket; heard: string[] }> {
  const socket = dial(place())
  const heard: string[] = []
  closing.push(() => socket.destroy())
  socket.on('error', () => {}) // It is closed next.
  if (reads) createInterface({ input: socket }).on('line', (line) => heard.push(line))
  await once(socket, 'connect')
  return { socket, heard }
}

describe('what all clients of a socket hold together', () => {
  afterEach(() => vi.useRealTimers())

  it('is bounded where they do not read: long answers become errors, and after a moment who reads nothing leaves', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { server } = await serve({ maxUnsentBytes: 3_000_000 })
    const { client } = await call('ann')
    for (let count = 0; count < 5; count++) {
      const { socket } = await dialIn(false)
      socket.write(`${HELLO}\n${[2, 3, 4].map((id) => `${callOf('large', id)}\n`).join('')}`)
    }
    await expect.poll(() => server.usage.read('maxUnsentBytes')).toBeGreaterThan(3_000_000)
    await expect(client.callTool('large', {})).rejects.toThrow(
      /all clients, of at most 3000000 \(--max-unsent\)/,
    )
    expect(server.usage.read('maxUnsentBytes')).toBeLessThan(5_000_000)
    await expect(client.callTool('who', {})).resolves.toBeDefined()
    vi.advanceTimersByTime(1000)
    await expect(client.callTool('large', {})).resolves.toBeDefined()
    await expect.poll(() => server.usage.read('maxConnections')).toBeLessThan(6)
    expect(server.usage.read('maxUnsentBytes')).toBeLessThan(3_000_000)
  })

  it('is bounded where lines do not end: whoever has been at it longest is told so and leaves', async () => {
    const { server } = await serve({ maxArrivingBytes: 1_000_000 })
    const first = await dialIn(true)
    const left = once(first.socket, 'close')
    for (const { socket } of [first, await dialIn(true), await dialIn(true), await dialIn(true)])
      socket.write(`${HELLO}\n{"jsonrpc":"2.0","method":"${'x'.repeat(240_000)}`)
    await expect.poll(() => server.usage.read('maxArrivingBytes')).toBeGreaterThan(900_000)
    const { socket } = await dialIn(true)
    socket.write('x'.repeat(240_000))
    await left
    expect(first.heard.at(-1)).toContain('at most 1000000 bytes, got 1')
    expect(first.heard.at(-1)).toContain('(--max-arriving)')
    await expect((await call('ann')).answer).resolves.toBeDefined()
    expect(server.usage.read('maxArrivingBytes')).toBeLessThan(1_000_000)
  })

  it('is bounded where each of many lines has only begun', async () => {
    await serve({ maxArrivingBytes: 10_000 })
    const first = await dialIn(true)
    const left = once(first.socket, 'close')
    first.socket.write('x'.repeat(3000))
    for (let count = 0; count < 4; count++) (await dialIn(true)).socket.write('x'.repeat(3000))
    await left
    expect(first.heard.at(-1)).toContain('at most 10000 bytes, got 1')
    await expect((await call('ann')).answer).resolves.toBeDefined()
  })

  it('is no more calls than may be at work: further ones wait, unless their client has less than its part', async () => {
    const { server, release } = await serve({ maxCalls: 6 })
    const [{ client: one }, { client: other }] = [await call('ann'), await call('bob')]
    const held = Array.from({ length: 20 }, () => one.callTool('held', {}))
    await expect.poll(() => server.usage.read('maxCalls')).toBe(6)
    const others = Array.from({ length: 3 }, () => other.callTool('held', {}))
    await expect.poll(() => server.usage.read('maxCalls')).toBe(9)
    const waiting = other.callTool('who', {})
    expect(server.usage.read('maxCalls')).toBe(9)
    release()
    expect(await Promise.all([...held, ...others, waiting])).toHaveLength(24)
    expect(server.usage.read('maxCalls')).toBe(0)
  })

  it('is no more calls than may be at work, and who has only come keeps nobody from going on', async () => {
    const { server, release } = await serve({ maxCalls: 1 })
    const { client: first } = await call('ann')
    const held = first.callTool('held', {})
    await expect.poll(() => server.usage.read('maxCalls')).toBe(1)
    const idle = await dialIn(true)
    idle.socket.write(`${HELLO}\n`)
    await expect.poll(() => idle.heard.length).toBe(1)
    const { socket, heard } = await dialIn(true)
    socket.write(`${HELLO}\n${callOf('who', 2)}\n`)
    await expect.poll(() => heard.length).toBe(1)
    release()
    await held
    await expect.poll(() => heard.length).toBe(2)
  })

  it('is no more calls than may be at work, also where one leaves that has them all', async () => {
    const { server, release } = await serve({ maxCalls: 2, finishMs: 0 })
    const { socket } = await dialIn(true)
    socket.write(`${HELLO}\n${[2, 3].map((id) => `${callOf('held', id)}\n`).join('')}`)
    await expect.poll(() => server.usage.read('maxCalls')).toBe(2)
    const { client } = await call('bob')
    const answers = [client.callTool('held', {}), client.callTool('held', {})]
    await expect.poll(() => server.usage.read('maxCalls')).toBe(3)
    socket.destroy()
    await expect.poll(() => server.usage.read('maxCalls')).toBe(2)
    release()
    await expect(Promise.all(answers)).resolves.toHaveLength(2)
  })

  it('is nothing any more when they have left', async () => {
    const { server } = await serve()
    const { socket } = await dialIn(false)
    socket.write(`${HELLO}\n${callOf('large', 2)}\n${callOf('large', 3)}\n{"half":`)
    await expect.poll(() => server.usage.read('maxUnsentBytes')).toBeGreaterThan(900_000)
    await expect.poll(() => server.usage.read('maxArrivingBytes')).toBeGreaterThan(0)
    socket.destroy()
    await expect.poll(() => server.usage.read('maxUnsentBytes')).toBe(0)
    expect(server.usage.read('maxArrivingBytes')).toBe(0)
  })
})

describe('the client', () => {
  it('takes an address that names a socket', async () => {
    await serve()
    const client = await connect(`unix:${place()}`)
    expect(client.server?.name).toBe('notes')
    await client.close()
  })

  it('says that nobody listens, or that the server has left', async () => {
    await expect(connect({ socket: place() })).rejects.toThrow(`The server cannot be reached: ${place()}`)
    const rude = createServer((socket) => socket.destroy()).listen(place())
    await once(rude, 'listening')
    await expect(connect({ socket: place() })).rejects.toThrow('closed the connection')
    rude.close()
  })

  it('takes no line that is longer than it may be', async () => {
    const endless = createServer((socket) => socket.on('data', () => socket.write('x'.repeat(2000)))).listen(
      place(),
    )
    await once(endless, 'listening')
    const limits = { maxMessageBytes: 1000 }
    await expect(connect({ socket: place() }, { limits })).rejects.toThrow('a line of more than 1000 bytes')
    endless.close()
  })
})
