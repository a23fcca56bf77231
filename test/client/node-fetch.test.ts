import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeCertificates } from '../../scripts/certificates.mjs'
import { connect } from '../../src/client/index.ts'
import { DONE, events, FakeServer, type Heard, handshakes, json, result } from './hostile.ts'

type Answer = (heard: Heard, response: ServerResponse) => unknown

/** A server of 2025 that counts the connections by which it is called. */
async function openCounting(answer: Answer) {
  const sockets = new Set<Socket>()
  const server = await FakeServer.open((heard, response) => {
    if (heard.message.method === 'tools/call') sockets.add(response.req.socket)
    return handshakes(heard, response) || answer(heard, response)
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const client = await connect(server.url)
  onTestFinished(() => client.close())
  return { client, sockets }
}

describe('over HTTP on Node', () => {
  it.each<[string, Answer]>([
    ['with JSON', ({ message }, response) => json(response, result(message.id, DONE))],
    [
      'with a stream',
      ({ message }, response) =>
        events(response).end(`data: ${JSON.stringify(result(message.id, DONE))}\n\n`),
    ],
  ])('calls that are answered %s one after the other share a connection', async (_how, answer) => {
    const { client, sockets } = await openCounting(answer)
    for (let calls = 0; calls < 20; calls++) expect(await client.callTool('any')).toEqual(DONE)
    expect(sockets.size).toBeLessThan(20) // The next one may begin before the one before has ended.
  })

  it('an answer that comes byte by byte takes no more room than its bytes', async () => {
    const pieces = 100_000
    let answered: ServerResponse | undefined
    const { client } = await openCounting(async ({ message }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      for (let sent = 1; sent < pieces; sent++) response.write(' ')
      await new Promise((resolve) => response.write(JSON.stringify(result(message.id, DONE)), resolve))
      answered = response
    })
    setFlagsFromString('--expose-gc')
    const gc: () => void = runInNewContext('gc')
    const before = process.memoryUsage().heapUsed
    const done = client.callTool('any')
    await expect.poll(() => answered).toBeDefined()
    await setTimeout(100) // What has left the one end is at the other.
    gc()
    const each = (process.memoryUsage().heapUsed - before) / pieces
    answered?.end()
    expect(await done).toEqual(DONE)
    expect(each).toBeLessThan(40)
  })

  it('a call that is given up ends its request, and not those beside it', async () => {
    const held: { readonly id: unknown; readonly response: ServerResponse }[] = []
    const { client } = await openCounting(({ message: { id } }, response) => held.push({ id, response }))
    const stop = new AbortController()
    const given = client.callTool('any', {}, { signal: stop.signal })
    const kept = client.callTool('any')
    await expect.poll(() => held.length).toBe(2)
    const gone = once(held[0]?.response as ServerResponse, 'close') // There are two.
    stop.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    await gone
    json(held[1]?.response as ServerResponse, result(held[1]?.id, DONE))
    expect(await kept).toEqual(DONE)
  })

  it('an answer in what was not asked for is said to be that', async () => {
    const zipped: Answer = ({ message, headers }, response) => {
      expect(headers['accept-encoding']).toBeUndefined()
      const body = gzipSync(JSON.stringify(result(message.id, DONE)))
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body)
    }
    const { client } = await openCounting(zipped)
    await expect(client.callTool('any')).rejects.toMatchObject({
      reason: 'nonsense',
      message: expect.stringContaining('in gzip'),
    })
  })

  it('an answer that breaks off is lost, and one without an end is stopped', async () => {
    const { client } = await openCounting(({ message }, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
      response.write('{', () => response.destroy())
      expect(message.method).toBe('tools/call')
    })
    await expect(client.callTool('any')).rejects.toMatchObject({ reason: 'lost' })
    const endless: Answer = (_heard, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => response.destroyed || response.write('x'.repeat(64 * 1024), more)
      more()
    }
    const other = await openCounting(endless)
    await expect(other.client.callTool('any')).rejects.toMatchObject({ reason: 'too-much' })
  })

  it('a certificate is checked, by the authorities that the process knows', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const { ca, key, cert } = await makeCertificates(folder)
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
      json(response, { jsonrpc: '2.0', id: 1, result: DISCOVERED }),
    )
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    await expect(connect(url)).rejects.toThrow(/certificate/)
    const script = join(import.meta.dirname, 'connect-and-exit.mjs')
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca }
    expect((await promisify(execFile)(process.execPath, [script, url], { env })).stdout).toBe('2026-07-28\n')
  })
})

const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: {}, resultType: 'complete' }
