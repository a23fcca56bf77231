import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { defineServer, type ServerDefinition } from '../../src/authoring/define-server.ts'
import { createNodeHandler, defineModule, defineTool, serveHttp } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { siblingsOf } from '../../src/modules/upstream/siblings.ts'
import {
  clientOf,
  endAfterEach,
  ending,
  gatewayTo,
  listen,
  lookedAt,
  namesOf,
  noted,
  textOf,
} from './gateway-of.ts'

endAfterEach()

const changing = (...flags: readonly string[]) => ({
  command: process.execPath,
  args: [join(import.meta.dirname, 'changing.mjs'), ...flags],
})

const offering = (...names: readonly string[]) => ({
  name: 's',
  version: '1',
  tools: names.map((name) => defineTool({ name, run: () => `${name} here` })),
})

/** A server in whose place another can be put, which says so, by this error or by 404, to whoever has a session. */
async function forgetful(definition: ServerDefinition, error: object | undefined) {
  const handlerOf = (one: ServerDefinition) => createNodeHandler(defineServer(one), { allowAnonymous: true })
  let handler = handlerOf(definition)
  const seen = new Set<unknown>()
  let forgotten = new Set<unknown>()
  const url = await listen((request, response) => {
    const session = request.headers['mcp-session-id']
    if (error === undefined || !forgotten.has(session)) {
      seen.add(session ?? NOBODY)
      return handler(request, response)
    }
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end('code' in error ? JSON.stringify({ jsonrpc: '2.0', error, id: null }) : '')
  })
  const replace = (other: ServerDefinition) => {
    forgotten = new Set(seen)
    handler = handlerOf(other)
  }
  return { url, replace }
}

const NOBODY = Symbol('whoever has no session yet')

const stateOf = (gateway: Server) => [...siblingsOf(gateway)][0]?.state

describe('the lists of an upstream', { timeout: 60_000 }, () => {
  it('are read again when they change for one client alone, whose process says so', async () => {
    const gateway = gatewayTo({ behind: changing() })
    const client = await clientOf(gateway)
    const told: string[] = []
    const listening = await client.listen({ tools: true }, ({ kind }) => told.push(kind))
    expect(textOf(await client.callTool('grow'))).toBe('grown')
    await vi.waitFor(() => expect(told).toEqual(['tools']), { timeout: 20_000 })
    expect(await namesOf(client)).toEqual(['grow', 'pid', 'grown_1'])
    await listening.close()
  })

  it('stay what they are for everybody when a client comes that can do less', async () => {
    const args = [join(import.meta.dirname, 'shy.mjs')]
    const gateway = gatewayTo({ behind: { command: process.execPath, args } })
    const able = await clientOf(gateway, { capabilities: { elicitation: { form: {} } } })
    expect(await namesOf(able)).toEqual(['echo', 'ask'])
    const bare = await clientOf(gateway, { capabilities: {} })
    expect(textOf(await bare.callTool('echo'))).toBe('echo here')
    await lookedAt(gateway)
    expect(await namesOf(able)).toEqual(['echo', 'ask'])
    expect(textOf(await able.callTool('ask'))).toBe('ask here')
    bare.close()
    able.close()
    await lookedAt(gateway)
    expect(noted).toEqual([])
  })

  it('are offered by one that does not tell of changes', async () => {
    const gateway = gatewayTo({ behind: changing('--refuses') })
    const client = await clientOf(gateway)
    expect(textOf(await client.callTool('grow'))).toBe('grown')
    expect(stateOf(gateway)).toMatchObject({ state: 'ready', lastError: null })
    expect(noted).toEqual([])
  })

  it.each([
    ['404', undefined],
    ['400 and words', { code: -32000, message: 'Bad Request: No valid session ID provided' }],
    ['400 and no words', {}],
  ])(
    'are read again when a session has been forgotten, since anything may have changed: %s',
    async (_, error) => {
      const { url, replace } = await forgetful(offering('go'), error)
      const gateway = gatewayTo({ behind: { url, revision: '2025-11-25' } })
      const client = await clientOf(gateway)
      expect(textOf(await client.callTool('go'))).toBe('go here')
      replace(offering('go', 'stay'))
      expect(textOf(await client.callTool('go'))).toBe('go here')
      await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['go', 'stay']), { timeout: 20_000 })
      expect(textOf(await client.callTool('stay'))).toBe('stay here')
    },
  )

  it('are told of after a session has been forgotten where they are others, and else not', async () => {
    const { url, replace } = await forgetful(offering('go'), undefined)
    const gateway = gatewayTo({ behind: { url, revision: '2025-11-25' } })
    const client = await clientOf(gateway)
    const told: string[] = []
    const listening = await client.listen({ tools: true, prompts: true, resources: true }, ({ kind }) =>
      told.push(kind),
    )
    await client.callTool('go')
    replace(offering('go'))
    await client.callTool('go')
    await lookedAt(gateway)
    replace(offering('go', 'stay'))
    await client.callTool('go')
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['go', 'stay']), { timeout: 20_000 })
    await vi.waitFor(() => expect(told).toContain('tools'))
    await lookedAt(gateway)
    expect(told).toEqual(['tools'])
    await listening.close()
  })

  it('are read by another connection where one is refused', async () => {
    const { url, replace } = await forgetful(offering('go'), { code: -32603, message: 'Broken' })
    const gateway = gatewayTo({ behind: { url, revision: '2025-11-25' } })
    const early = await clientOf(gateway)
    replace({ ...offering('go', 'stay'), version: '2' })
    const late = await clientOf(gateway)
    expect(textOf(await late.callTool('go'))).toBe('go here')
    await vi.waitFor(async () => expect(await namesOf(early)).toEqual(['go', 'stay']), { timeout: 20_000 })
    expect(stateOf(gateway)).toMatchObject({ state: 'ready', lastError: { text: 'Broken' } })
  })

  it('are read again when the upstream has been away for long', async () => {
    const make = (...names: readonly string[]) =>
      defineServer({
        name: 's',
        version: '1',
        tools: names.map((name) => defineTool({ name, run: () => `${name} here` })),
      })
    const first = await serveHttp(make('go'), { port: 0, allowAnonymous: true })
    const { port } = new URL(first.url)
    const gateway = gatewayTo({ behind: { url: first.url } })
    const client = await clientOf(gateway)
    const told: string[] = []
    const listening = await client.listen({ tools: true }, ({ kind }) => told.push(kind))
    await first.close()
    await vi.waitFor(() => expect(stateOf(gateway)).toMatchObject({ state: 'unreachable' }), {
      timeout: 30_000,
    })
    const second = await serveHttp(make('go', 'stay'), { port: Number(port), allowAnonymous: true })
    ending.push(() => second.close())
    await vi.waitFor(() => expect(told).toContain('tools'), { timeout: 30_000 })
    expect(await namesOf(client)).toEqual(['go', 'stay'])
    await listening.close()
  })
})

describe('a call that an upstream answers with an error', () => {
  it('counts as failed, with what the upstream said', async () => {
    const { url, replace } = await forgetful(offering('go'), { code: -32603, message: 'Broken' })
    const gateway = gatewayTo({ behind: { url, revision: '2025-11-25' } })
    const client = await clientOf(gateway)
    expect(textOf(await client.callTool('go'))).toBe('go here')
    replace(offering('go'))
    await expect(client.callTool('go')).rejects.toThrow('Broken')
    expect(stateOf(gateway)).toMatchObject({ calls: 2, failed: 1, lastError: { text: 'behind: Broken' } })
  })

  it('is none of its failures where the caller was mistaken, and is told on one line', async () => {
    const error = { code: -32602, message: 'No such thing' }
    const { url, replace } = await forgetful(offering('go'), error)
    const gateway = gatewayTo({ behind: { url, revision: '2025-11-25' } })
    const client = await clientOf(gateway)
    await client.callTool('go')
    replace(offering('go'))
    await expect(client.callTool('go')).rejects.toThrow('No such thing')
    expect(stateOf(gateway)).toMatchObject({ calls: 2, failed: 0, lastError: null })
    Object.assign(error, { code: -32603, message: 'Broken:\n  at the door\n' })
    await expect(client.callTool('go')).rejects.toThrow('Broken')
    expect(stateOf(gateway)).toMatchObject({ lastError: { text: 'behind: Broken:; at the door' } })
  })
})

describe('a call to an upstream that is not there any more', () => {
  it('says who, why and when it is tried next, also where no session is kept', async () => {
    const server = defineServer({
      name: 's',
      version: '1',
      tools: [defineTool({ name: 'go', run: () => 'gone' })],
    })
    const behind = await serveHttp(server, { port: 0, allowAnonymous: true })
    const client = await clientOf(gatewayTo({ behind: { url: behind.url } }))
    expect(textOf(await client.callTool('go'))).toBe('gone')
    await behind.close()
    await vi.waitFor(async () => {
      const result = await client.callTool('go')
      expect(result.isError).toBe(true)
      expect(textOf(result)).toMatch(/^behind cannot be reached \(.+\), next try in \d+ s$/)
    })
    expect(await namesOf(client)).toEqual(['go'])
  })
})

describe('an upstream that is slow', { timeout: 60_000 }, () => {
  const having = (name: string, read: () => string | Promise<string>) =>
    defineServer({
      name,
      version: '1',
      templates: [{ uriTemplate: 'shared://all/{thing}', name, read }],
      modules: [
        defineModule({
          name: 'skills',
          extensions: [
            {
              id: 'io.modelcontextprotocol/skills',
              settings: {},
              handshake: false,
              methods: { 'skills/list': async () => ({ skills: [{ uri: await read() }] }) },
            },
          ],
        }),
      ],
    })

  it('keeps nobody from what another has', async () => {
    const never = new Promise<string>(() => {})
    const gateway = gatewayTo({
      slow: { server: having('slow', () => never) },
      quick: { server: having('quick', () => 'here') },
    })
    const client = await clientOf(gateway)
    gateway.templates.remove('shared://all/{thing}')
    const { contents } = await client.read('shared://all/thing')
    expect(contents).toMatchObject([{ text: 'here' }])
    expect(await client.request('skills/list')).toMatchObject({ skills: [{ uri: 'here' }] })
  })
})
