import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer as createNodeServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createFetchHandler,
  createNodeHandler,
  defineServer,
  MemoryStore,
  type Server,
  type Store,
  serveHttp,
} from '../../src/index.ts'
import { serveSocket } from '../../src/transports/stdio/socket.ts'
import { callModern } from '../http/messages.ts'
import { SlowMotion, turns } from '../setup/slow-motion.ts'

/** A server whose module takes its time to open and to close, and whose tool waits until it is let go. */
function createSlow(more: { readonly store?: Store } = {}, meanwhile = () => {}) {
  const work: { do(what: string): Promise<void> } = { do: async () => meanwhile() }
  const slow = new SlowMotion().slow(work, ['do'])
  let [begin, letGo] = [() => {}, () => {}]
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const held = new Promise<string>((resolve) => {
    letGo = () => resolve('let go')
  })
  const run = () => {
    begin()
    return held
  }
  const module = { name: 'slow', open: () => work.do('open'), close: () => work.do('close') }
  const tools = [{ name: 'held', run }]
  const server = defineServer({ name: 's', version: '1', tools, modules: [module], reports: true, ...more })
  /** What its module has done, and how much of that is not done yet. */
  const done = () => [slow.asked.join(', ').replaceAll('do ', ''), slow.underWay.length]
  return { server, begun, letGo, done }
}

const REQUEST = callModern('held')
const init = {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(REQUEST.headers as Record<string, string>),
  },
  body: JSON.stringify(REQUEST.body),
}

function placeOf(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-slow-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, name)
}

interface Served {
  call(): Promise<string>
  close(): Promise<boolean>
}

const WAYS: { readonly [name: string]: (server: Server) => Promise<Served> } = {
  async serveHttp(server) {
    const http = await serveHttp(server, { supervise: false })
    return { call: async () => (await fetch(http.url, init)).text(), close: () => http.close() }
  },
  async createFetchHandler(server) {
    const handle = createFetchHandler(server)
    const call = async () => (await handle(new Request('http://127.0.0.1/mcp', init))).text()
    return { call, close: () => handle.close() }
  },
  async createNodeHandler(server) {
    const handle = createNodeHandler(server)
    const node = createNodeServer(handle).listen(0, '127.0.0.1')
    onTestFinished(() => void node.close())
    await once(node, 'listening')
    const { port } = node.address() as AddressInfo
    const call = async () => (await fetch(`http://127.0.0.1:${port}/mcp`, init)).text()
    return { call, close: () => handle.close() }
  },
  async serveSocket(server) {
    const path = placeOf('s')
    const served = await serveSocket(server, { path, supervise: false })
    const call = async () => {
      const socket = connect(path)
      socket.write(`${init.body}\n`)
      const [heard] = (await once(socket, 'data')) as [Buffer]
      socket.end()
      return String(heard)
    }
    return { call, close: () => served.close() }
  },
}

describe('a module that takes its time', () => {
  it.each(Object.keys(WAYS))(
    'is open before a call, and closed when all are answered, by %s',
    async (way) => {
      const { server, begun, letGo, done } = createSlow()
      const served = await WAYS[way]?.(server)
      const answer = served?.call()
      await begun
      const closing = served?.close()
      for (let times = 0; times < 5; times++) await turns()
      expect(done()).toEqual(['open', 0])
      letGo()
      expect(await answer).toContain('let go')
      expect(await closing).toBe(true)
      expect(done()).toEqual(['open, close', 0])
    },
  )

  it('is closed before anybody hears that a port is taken', async () => {
    const { server, done } = createSlow()
    const other = createNodeServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await expect(serveHttp(server, { port, supervise: false })).rejects.toThrow('is in use already')
    expect(done()).toEqual(['open, close', 0])
  })

  it('is closed before anybody hears that a socket cannot be', async () => {
    const path = placeOf('s')
    const { server, done } = createSlow({}, () => void mkdirSync(path, { recursive: true }))
    await expect(serveSocket(server, { path, supervise: false })).rejects.toThrow(path)
    expect(done()).toEqual(['open, close', 0])
  })

  it('is closed before anybody hears that a store cannot be used', async () => {
    const store: Store = Object.assign(new MemoryStore(), {
      shared: true,
      put: () => Promise.reject(new Error('away')),
    })
    const { server, done } = createSlow({ store })
    await expect(serveHttp(server, { supervise: false })).rejects.toThrow('away')
    expect(done()).toEqual(['open, close', 0])
  })
})
