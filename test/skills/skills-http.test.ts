import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Client, connect } from '../../src/client/index.ts'
import { type HttpServer, serveHttp } from '../../src/index.ts'
import { HANDSHAKES } from '../http/messages.ts'
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

function firstOf<Item>(list: unknown): Item {
  const [first] = list as readonly Item[]
  if (first === undefined) throw new Error('the list is empty')
  return first
}

describe('a client of 2026-07-28', () => {
  let client: Client

  beforeEach(async () => {
    client = await connect(http.url, { revision: '2026-07-28', capabilities: { extensions: { [ID]: {} } } })
  })

  afterEach(() => client.close())

  it('finds the extension, lists a skill and can verify each of its files', async () => {
    expect(client.capabilities).toMatchObject({
      resources: {},
      extensions: { [ID]: { directoryRead: true } },
    })
    const result = await client.request('skills/list')
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' })
    const pdf = firstOf<Entry>(result['skills'])
    expect(pdf.resources).toHaveLength(3)
    for (const { uri, digest, size } of pdf.resources) {
      const { text, blob } = firstOf<Contents>((await client.read(uri)).contents)
      const bytes = text === undefined ? Buffer.from(blob ?? '', 'base64') : Buffer.from(text)
      expect(bytes.length).toBe(size)
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest)
    }
    expect(await client.request('skills/get', { uri: pdf.uri })).toMatchObject({
      skill: pdf,
      ttlMs: 60_000,
      cacheScope: 'public',
    })
  })

  it('need not repeat a skill or a directory in a header', async () => {
    // The client names in a header what core methods are about, and nothing else.
    expect(await client.request('skills/get', { uri: 'skill://pdf/SKILL.md' })).toHaveProperty('skill')
    const directory = await client.request('resources/directory/read', { uri: 'skill://pdf' })
    expect(directory).toHaveProperty('resources')
  })

  it.each([
    ['skills/get', 'skill://nothing/SKILL.md'],
    ['resources/directory/read', 'skill://pdf/SKILL.md'],
    ['resources/read', 'skill://pdf/%2e%2e/%2e%2e/etc/passwd'],
  ])('is refused %s of %s with -32602', async (method, uri) => {
    await expect(client.request(method, { uri })).rejects.toMatchObject({ code: -32602 })
  })
})

describe.each(HANDSHAKES.filter((version) => version !== '2024-11-05'))('a session of %s', (version) => {
  it('is told of no extension, has no skills/list, and reads plain resources', async () => {
    await using client = await connect(http.url, { revision: version })
    expect(client.capabilities).toHaveProperty('resources')
    expect(client.capabilities).not.toHaveProperty('extensions')
    await expect(client.request('skills/list')).rejects.toMatchObject({ code: -32601 })
    expect(await client.resources()).toMatchObject([{ uri: 'skill://pdf/SKILL.md', name: 'pdf' }])
    expect(await client.read('skill://pdf/references/FORMS.md')).toMatchObject({
      contents: [{ text: '\ufeff# Forms\r\n', mimeType: 'text/markdown' }],
    })
  })
})
