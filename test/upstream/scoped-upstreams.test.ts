import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import type { JsonObject, Server } from '../../src/kernel/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import { apiKeys } from '../../src/transports/http/auth/api-keys.ts'
import { type Answer, ScopedSite } from '../auth/site.ts'
import { modern } from '../http/messages.ts'
import { Shelf } from '../skills/shelf.ts'
import { lookedAt } from './gateway-of.ts'

const KEYS = [
  { name: 'all', key: 'key-of-all' },
  { name: 'both', key: 'key-of-both', scopes: ['one', 'two'] },
  { name: 'bess', key: 'key-of-bess', scopes: ['one'] },
  { name: 'tom', key: 'key-of-tom', scopes: ['two'] },
  { name: 'zoe', key: 'key-of-zoe', scopes: ['plain'] },
]

const as = (name: string) => ({ authorization: `Bearer key-of-${name}` })

const shelves: Shelf[] = []
let gateway: Server
let site: ScopedSite

/** A server with a skill, a tool, a prompt and a template that completes, all named after it. */
async function behind(name: string): Promise<Server> {
  const shelf = await Shelf.create()
  shelves.push(shelf)
  await shelf.writeSkill(`${name}-skill`)
  await shelf.write(`${name}-skill/refs/NOTES.md`, `# Of ${name}\n`)
  return shelf.serve({
    name,
    tools: [{ name: `${name}-tool`, run: () => name }],
    prompts: [{ name: `${name}-prompt`, render: () => name }],
    templates: [
      {
        uriTemplate: `${name}://{id}`,
        name,
        complete: { id: () => [`${name}-id`] },
        read: () => name,
      },
    ],
  })
}

beforeAll(async () => {
  const plain = defineServer({ name: 'plain', version: '1', tools: [{ name: 'plain-tool', run: () => '' }] })
  gateway = defineServer({
    name: 'gateway',
    version: '1',
    modules: [
      upstream('one', { server: await behind('one'), scopes: ['one'] }),
      upstream('two', { server: await behind('two'), scopes: ['two'] }),
      upstream('plain', { server: plain, scopes: ['plain'] }),
    ],
  })
  await gateway.start()
  await lookedAt(gateway)
  site = await ScopedSite.serve(gateway, { authenticator: apiKeys({ keys: KEYS }) })
})

afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await gateway.close()
  for (const shelf of shelves) await shelf[Symbol.asyncDispose]()
})

const ask = (name: string, method: string, params: JsonObject = {}) => site.modern(method, params, as(name))

/** Which of the upstreams an answer tells of. */
const toldOf = ({ text }: Answer) =>
  ['one', 'two', 'plain'].filter((name) => text.includes(`${name}-`) || text.includes(`${name}://`))

const COMPLETION = (name: string) => ({
  ref: { type: 'ref/resource', uri: `${name}://{id}` },
  argument: { name: 'id', value: '' },
})

const SEEN = [
  ['all', ['one', 'two']],
  ['both', ['one', 'two']],
  ['bess', ['one']],
  ['tom', ['two']],
] as const

describe.each([...SEEN, ['zoe', []] as const])('to the holder of %s', (name, seen) => {
  it.each(['2025-03-26', '2025-11-25'])(
    'a handshake in %s and the lists after it are open',
    async (revision) => {
      const session = { ...as(name), 'mcp-session-id': await site.open(as(name), revision) }
      for (const method of [
        'tools/list',
        'resources/list',
        'resources/templates/list',
        'prompts/list',
        'ping',
      ]) {
        const answer = await site.post(
          { jsonrpc: '2.0', id: 1, method },
          { ...session, 'mcp-protocol-version': revision },
        )
        expect(answer.status, method).toBe(200)
        if (method !== 'ping') expect(toldOf(answer).filter((one) => one !== 'plain')).toEqual(seen)
      }
    },
  )

  it('what every server is asked is answered without a handshake', async () => {
    const discovered = await ask(name, 'server/discover')
    expect(discovered.status).toBe(200)
    expect(discovered.text.includes('io.modelcontextprotocol/skills')).toBe(seen.length > 0)
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      const answer = await ask(name, method)
      expect(answer.status, method).toBe(200)
      expect(toldOf(answer).filter((one) => one !== 'plain')).toEqual(seen)
    }
    for (const one of ['one', 'two'] as const) {
      const { body, text } = await ask(name, 'completion/complete', COMPLETION(one))
      expect(body.error?.code, text).toBe((seen as readonly string[]).includes(one) ? undefined : -32602)
    }
  })

  it('news can be listened for', async () => {
    const leaving = new AbortController()
    const { headers, body } = modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const response = await fetch(site.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
        ...as(name),
      },
      body: JSON.stringify(body),
      signal: leaving.signal,
    })
    expect(response.status).toBe(200)
    leaving.abort()
  })
})

describe('the skills of upstreams', () => {
  it.each(SEEN)('are listed to the holder of %s as far as its scopes go', async (name, seen) => {
    const answer = await ask(name, 'skills/list')
    expect(answer.status).toBe(200)
    expect(toldOf(answer)).toEqual(seen)
  })

  it('make a list that holders of other keys must not be given', async () => {
    expect((await ask('bess', 'skills/list')).body.result?.['cacheScope']).toBe('private')
    expect((await ask('both', 'skills/list')).body.result?.['cacheScope']).toBe('private')
    expect((await ask('all', 'skills/list')).body.result?.['cacheScope']).toBe('public')
  })

  it.each([
    ['skills/get', 'skill://two-skill/SKILL.md'],
    ['resources/directory/read', 'skill://two-skill'],
    ['resources/directory/read', 'skill://two-skill/refs'],
  ])('are given by %s %s to whom they are for, and are nowhere for others', async (method, uri) => {
    for (const name of ['all', 'both', 'tom']) {
      expect((await ask(name, method, { uri })).body.result, name).toBeDefined()
    }
    const { body } = await ask('bess', method, { uri })
    const nowhere = await ask('bess', method, { uri: uri.replace('two-skill', 'no-skill') })
    expect(body.error?.code).toBe(-32602)
    expect(JSON.stringify(body).replaceAll('two-skill', 'no-skill')).toBe(JSON.stringify(nowhere.body))
  })

  it.each(['skills/list', 'skills/get', 'resources/directory/read', 'lamps/on'])(
    'by %s are refused to whom no upstream is open that may know it',
    async (method) => {
      const answer = await ask('zoe', method, { uri: 'skill://two-skill/' })
      expect(answer).toMatchObject({
        status: 403,
        challenge: 'Bearer error="insufficient_scope", scope="one"',
        body: { error: { code: 403, message: 'Insufficient scope: this needs one' } },
      })
    },
  )

  it.each(['all', 'both', 'bess', 'tom'])(
    'a method that nobody knows is none to the holder of %s',
    async (name) => {
      for (const method of ['lamps/on', 'constructor'])
        expect(await ask(name, method)).toMatchObject({ status: 404, body: { error: { code: -32601 } } })
    },
  )
})
