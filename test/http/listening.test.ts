import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MemoryStore, serveHttp } from '../../src/index.ts'
import type { Store } from '../../src/kernel/index.ts'
import { listenOnNode } from '../../src/transports/http/node/listen.ts'
import { Host } from './host.ts'
import { createSample } from './sample.ts'

it('is served by a socket where another process listens on its address, by the names that one has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-front-'))
  const front = { socket: join(folder, 's'), hosts: ['front.example'] }
  const http = await listenOnNode(createSample().server, { port: 9, supervise: false }, front)
  onTestFinished(async () => {
    await http.close(0)
    rmSync(folder, { recursive: true })
  })
  const ask = async (host: string) => {
    const asked = request({ socketPath: front.socket, path: '/mcp', headers: { host }, agent: false }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  expect([http.port, http.url]).toEqual([9, 'http://127.0.0.1:9/mcp'])
  expect(await ask('front.example')).toBe(400)
  expect(await ask('127.0.0.1:9')).toBe(403)
})

it('lets go of whoever has said nothing when it closes', async () => {
  await using host = await Host.start()
  const wire = await host.dial()
  await expect.poll(() => host.sample.server.usage.read('maxConnections')).toBe(1)
  expect(await host.http.close(0)).toBe(true)
  await expect.poll(() => wire.socket.destroyed).toBe(true)
})

it('leaves signals to whoever does not want it supervised', async () => {
  const before = process.listenerCount('SIGTERM')
  const http = await serveHttp(createSample().server, { supervise: false })
  expect(process.listenerCount('SIGTERM')).toBe(before)
  await http.close(0)
})

it('is not served, and leaves its port to others, where its store cannot be used', async () => {
  const kept = new MemoryStore()
  const subscribe: Store['subscribe'] = async (topic, listener) => {
    if (topic.startsWith('node/')) throw new Error('away')
    return MemoryStore.prototype.subscribe.call(kept, topic, listener)
  }
  const store: Store = Object.assign(kept, { shared: true, subscribe })
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as { readonly port: number }
  free.close()
  await once(free, 'close')
  await expect(serveHttp(createSample({ store }).server, { port, supervise: false })).rejects.toThrow('away')
  const other = await serveHttp(createSample().server, { port, supervise: false })
  expect(other.port).toBe(port)
  await other.close(0)
})
