import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HttpServer, serveHttp } from '../../src/index.ts'
import type { Asked, Message } from '../http/host.ts'
import { HANDSHAKES, INITIALIZED, initialize, modern } from '../http/messages.ts'
import { type Contents, type Entry, Shelf } from './shelf.ts'

const ID = 'io.modelcontextprotocol/skills'

let shelf: Shelf
let http: HttpServer

beforeEach(async () => {
  shelf = await Shelf.create()
  await shelf.writeSkill('pdf')
  await shelf.write('pdf/references/FORMS.md', '\ufeff# Forms\r\n')
  await shelf.write('pdf/logo.png', Buffer.from('89504e47ff', 'hex'))
  http = await serveHttp(shelf.serve(), { host: '127.0.0.1', port: 0 })
})

afterEach(async () => {
  await http.close()
  await shelf[Symbol.asyncDispose]()
})

async function send({ headers, body }: Asked): Promise<{ response: Response; message: Message }> {
  const response = await fetch(http.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(headers as Record<string, string>), // None of ours has several values.
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const data = /^data: (\{.*)$/m.exec(text)?.[1] ?? text
  return { response, message: data === '' ? {} : JSON.parse(data) }
}

async function ask(method: string, params: { readonly [key: string]: unknown } = {}): Promise<Message> {
  return (await send(modern(method, params))).message
}

function firstOf<Item>(list: unknown): Item {
  const [first] = list as readonly Item[]
  if (first === undefined) throw new Error('the list is empty')
  return first
}

describe('a client of 2026-07-28', () => {
  it('finds the extension, lists a skill and can verify each of its files', async () => {
    expect((await ask('server/discover')).result).toMatchObject({
      capabilities: { resources: {}, extensions: { [ID]: { directoryRead: true } } },
    })
    const { result } = await ask('skills/list')
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' })
    const pdf = firstOf<Entry>(result?.['skills'])
    expect(pdf.resources).toHaveLength(3)
    for (const { uri, digest, size } of pdf.resources) {
      const read = await ask('resources/read', { uri })
      const { text, blob } = firstOf<Contents>(read.result?.['contents'])
      const bytes = text === undefined ? Buffer.from(blob ?? '', 'base64') : Buffer.from(text)
      expect(bytes.length).toBe(size)
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest)
    }
    const got = await ask('skills/get', { uri: pdf.uri })
    expect(got.result).toMatchObject({ skill: pdf, ttlMs: 60_000, cacheScope: 'public' })
  })

  it('need not repeat a skill or a directory in a header', async () => {
    for (const [method, uri] of [
      ['skills/get', 'skill://pdf/SKILL.md'],
      ['resources/directory/read', 'skill://pdf'],
    ] as const) {
      const { headers, body } = modern(method, { uri })
      const kept = Object.entries(headers ?? {}).filter(([name]) => name !== 'mcp-name')
      const { message } = await send({ headers: Object.fromEntries(kept), body })
      expect(message).toHaveProperty('result')
    }
  })

  it.each([
    ['skills/get', 'skill://nothing/SKILL.md'],
    ['resources/directory/read', 'skill://pdf/SKILL.md'],
    ['resources/read', 'skill://pdf/%2e%2e/%2e%2e/etc/passwd'],
  ])('is refused %s of %s with -32602', async (method, uri) => {
    expect((await ask(method, { uri })).error?.code).toBe(-32602)
  })
})

describe.each(HANDSHAKES.filter((version) => version !== '2024-11-05'))('a session of %s', (version) => {
  it('is told of no extension, has no skills/list, and reads plain resources', async () => {
    const { response, message } = await send({ body: initialize(version) })
    expect(message.result?.['capabilities']).toHaveProperty('resources')
    expect(message.result?.['capabilities']).not.toHaveProperty('extensions')
    const headers = { 'mcp-session-id': String(response.headers.get('mcp-session-id')) }
    await send({ headers, body: INITIALIZED })
    const say = async (method: string, params: object = {}) =>
      (await send({ headers, body: { jsonrpc: '2.0', id: 2, method, params } })).message
    expect((await say('skills/list')).error?.code).toBe(-32601)
    expect((await say('resources/list')).result).toMatchObject({
      resources: [{ uri: 'skill://pdf/SKILL.md', name: 'pdf' }],
    })
    const read = await say('resources/read', { uri: 'skill://pdf/references/FORMS.md' })
    expect(read.result).toMatchObject({
      contents: [{ text: '\ufeff# Forms\r\n', mimeType: 'text/markdown' }],
    })
  })
})
