import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { discoverKeys } from './discover.ts'

type Place = { readonly status: number; readonly location?: string; readonly body?: object }

let server: Server
let issuer: string
let asked: string[]
let places: { [path: string]: Place }

beforeEach(async () => {
  asked = []
  places = {}
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const { status, location, body } = places[request.url ?? ''] ?? { status: 404 }
    response.writeHead(status, location === undefined ? {} : { location }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => new Promise((resolve) => server.close(resolve)))

const OAUTH = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'

describe('asking an issuer where its keys are', () => {
  it('takes the metadata that names this issuer', async () => {
    places[OPENID] = { status: 200, body: { issuer, jwks_uri: `${issuer}/keys` } }
    expect((await discoverKeys(issuer)).href).toBe(`${issuer}/keys`)
    expect(asked).toEqual([OAUTH, OPENID])
  })

  it('takes as much metadata as is read of an issuer, and no more', async () => {
    const metadata = { issuer, jwks_uri: `${issuer}/keys`, more: '' }
    const more = 'x'.repeat(262_144 - JSON.stringify(metadata).length)
    places[OAUTH] = { status: 200, body: { ...metadata, more } }
    expect((await discoverKeys(issuer)).href).toBe(`${issuer}/keys`)
    places[OAUTH] = { status: 200, body: { ...metadata, more: `${more}x` } }
    await expect(discoverKeys(issuer)).rejects.toThrow('answered with more than 262144 bytes')
  })

  it('does not take metadata that names another', async () => {
    for (const named of [`${issuer}/`, 'https://issuer.example.com', undefined]) {
      places[OAUTH] = { status: 200, body: { issuer: named, jwks_uri: `${issuer}/keys` } }
      await expect(discoverKeys(issuer)).rejects.toThrow('There is no metadata of the issuer')
    }
  })

  it('asks nobody else while the issuer is broken', async () => {
    places[OAUTH] = { status: 500 }
    places[OPENID] = { status: 200, body: { issuer, jwks_uri: `${issuer}/keys` } }
    await expect(discoverKeys(issuer)).rejects.toThrow(`${issuer}${OAUTH} answered with 500`)
    expect(asked).toEqual([OAUTH])
  })

  it('takes no metadata from a page that says it is not there', async () => {
    places[OAUTH] = { status: 404, body: { issuer, jwks_uri: `${issuer}/keys` } }
    await expect(discoverKeys(issuer)).rejects.toThrow('There is no metadata of the issuer')
  })

  it('follows no redirect', async () => {
    places[OAUTH] = { status: 302, location: '/elsewhere' }
    places['/elsewhere'] = { status: 200, body: { issuer, jwks_uri: `${issuer}/keys` } }
    await expect(discoverKeys(issuer)).rejects.toThrow('There is no metadata of the issuer')
    expect(asked).toEqual([OAUTH, OPENID])
  })

  it('takes no keys that somebody on the way could change', async () => {
    for (const jwks_uri of ['http://localhost.evil/keys', 'file:///etc/passwd', 'keys', undefined]) {
      places[OAUTH] = { status: 200, body: { issuer, jwks_uri } }
      await expect(discoverKeys(issuer)).rejects.toThrow(`jwks_uri of ${issuer}: expected a URL`)
    }
  })
})

describe('an issuer that does not come to an end', () => {
  it.each([
    ['goes on for ever', () => endless(), {}],
    [
      'sends little that unfolds to much',
      () => Readable.from([gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))]),
      { 'content-encoding': 'gzip' },
    ],
  ])('is not listened to any more: it %s', async (_what, body, headers) => {
    let closed = 0
    server.removeAllListeners('request').on('request', (_request, response) => {
      response.once('close', () => closed++)
      body().pipe(response.writeHead(200, headers))
    })
    await expect(discoverKeys(issuer)).rejects.toThrow(
      `${issuer}${OAUTH} answered with more than 262144 bytes, which is more than is read of an issuer`,
    )
    await expect.poll(() => closed).toBe(1)
  })

  function endless(): Readable {
    const piece = Buffer.alloc(16 * 1024, ' ')
    return new Readable({
      read() {
        this.push(piece)
      },
    })
  }
})
