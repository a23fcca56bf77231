import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient } from '../../client/test-client.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { RelayedServer } from './relayed-server.ts'
import { createRelaying, ownerOfAbsent, type RelayedExtensions } from './relaying.ts'
import type { Server } from './server.ts'

const [HANDSHAKE, NEW] = ['2025-11-25', '2026-07-28']
const ANN = { id: 'ann', scopes: ['theirs'] }
const BOB = { id: 'bob', scopes: ['ours'] }

const serve = (instructions?: string) =>
  defineServer({ name: 'ours', version: '1', ...(instructions !== undefined && { instructions }) })

const upstream = (name: string, introduced?: RelayedServer['introduced']) =>
  ({ name, introduced, asked: () => {}, cacheOf: () => undefined }) as unknown as RelayedServer // As far as it is read here.

const discover = async (server: Server, principal = ANN) =>
  (await createTestClient(server, { principal })).request('server/discover')

it('a list that another server has is there although nothing stands on it', async () => {
  const server = serve()
  for (const list of ['tools', 'resources', 'prompts'] as const) {
    const client = await createTestClient(server)
    await expect(client.request(`${list}/list`), list).rejects.toMatchObject({ code: -32601 })
    server.relaying.declared.add(list)
    expect((await client.request(`${list}/list`))[list], list).toEqual([])
  }
  expect((await discover(server))['capabilities']).toMatchObject({ tools: {}, resources: {}, prompts: {} })
})

it('a list says how many servers are yet to be looked at', async () => {
  const server = serve()
  server.tools.add({ name: 't', run: () => '' })
  const client = await createTestClient(server, { revision: HANDSHAKE })
  expect(await client.request('tools/list')).not.toHaveProperty('_meta')
  for (const one of ['a', 'b'].map((name) => upstream(name))) {
    server.relaying.upstreams.add(one)
    server.relaying.awaited.add(one)
  }
  expect(await client.request('tools/list')).toMatchObject({ _meta: { 'perigee/awaited': 2 } })
  server.relaying.awaited.clear()
  expect(await client.request('tools/list')).not.toHaveProperty('_meta')
})

it('a list that waits for servers keeps for no time', async () => {
  const server = serve()
  server.tools.add({ name: 't', run: () => '' })
  const one = { ...upstream('a'), cacheOf: () => ({ ttlMs: 5000 }) }
  server.relaying.upstreams.add(one)
  server.relaying.awaited.add(one)
  const client = await createTestClient(server, { revision: NEW })
  expect(await client.request('tools/list')).toMatchObject({ ttlMs: 0, cacheScope: 'public' })
  server.relaying.awaited.clear()
  expect(await client.request('tools/list')).toMatchObject({ ttlMs: 5000 })
})

it('a client that is greeted before it is known what others have is told that there may be all of it', async () => {
  const server = serve()
  server.relaying.declared.add('resources')
  const told = async () => {
    const capabilities = (await discover(server))['capabilities'] as JsonObject
    return [capabilities['resources'], 'completions' in capabilities]
  }
  expect(await told()).toEqual([{ subscribe: false, listChanged: true }, false])
  server.relaying.upstreams.add(upstream('known', { instructions: '', scopes: [] }))
  expect(await told()).toEqual([{ subscribe: false, listChanged: true }, false])
  server.relaying.upstreams.add(upstream('unknown'))
  expect(await told()).toEqual([{ subscribe: true, listChanged: true }, true])
})

it('how others are meant to be used is told to whom they are for, under their names where there are several', async () => {
  const server = serve('Ours.')
  const told = async (principal = ANN) => (await discover(server, principal))['instructions']
  expect(await told()).toBe('Ours.')
  server.relaying.upstreams.add(upstream('a', { instructions: 'Theirs.', scopes: ['theirs'] }))
  expect(await told()).toBe('Ours.\n\nTheirs.')
  expect(await told(BOB)).toBe('Ours.')
  server.relaying.upstreams.add(upstream('b', { instructions: 'Others’.', scopes: [] }))
  server.relaying.upstreams.add(upstream('c', { instructions: '', scopes: [] }))
  server.relaying.upstreams.add(upstream('d'))
  expect(await told()).toBe('Ours.\n\na: Theirs.\n\nb: Others’.')
  const silent = serve()
  expect(await discover(silent)).not.toHaveProperty('instructions')
  silent.relaying.upstreams.add(upstream('a', { instructions: 'Theirs.', scopes: [] }))
  expect((await discover(silent))['instructions']).toBe('Theirs.')
})

it('a tool that is withheld says why to whom it would be for, and is unknown to others', async () => {
  const server = serve()
  server.tools.add({ name: 't', run: () => '' })
  server.relaying.withheld.set('far', { scopes: ['theirs'], reason: 'It has changed', upstream: 'theirs' })
  const ann = await createTestClient(server, { principal: ANN })
  expect(await ann.callTool('far')).toMatchObject({
    isError: true,
    content: [{ text: 'It has changed' }],
    _meta: { 'perigee/missing': { far: 'It has changed' } },
  })
  const bob = await createTestClient(server, { principal: BOB })
  await expect(bob.callTool('far')).rejects.toThrow('Unknown tool: far')
})

const EXTENSION: RelayedExtensions = {
  upstream: 'far',
  scopes: ['theirs'],
  declared: { 'com.example/lamps': { dim: true } },
  find: (method) =>
    ['lamps/on', 'tools/call', 'tools/list', 'tasks/get', 'tasks/update', 'exit'].includes(method)
      ? ({ params }) => ({ lit: params?.['lamp'] })
      : undefined,
}

it('an extension of another server is declared and answered to whom it is for, where there is no handshake', async () => {
  const server = serve()
  server.relaying.extensions.add({ ...EXTENSION, declared: {}, find: () => undefined })
  server.relaying.extensions.add(EXTENSION)
  expect((await discover(server))['capabilities']).toMatchObject({ extensions: EXTENSION.declared })
  expect((await discover(server, BOB))['capabilities']).not.toHaveProperty('extensions')
  const ann = await createTestClient(server, { principal: ANN })
  expect(await ann.request('lamps/on', { lamp: 1 })).toMatchObject({ lit: 1 })
  const bob = await createTestClient(server, { principal: BOB })
  await expect(bob.request('lamps/on')).rejects.toThrow('this needs theirs')
  const old = await createTestClient(server, { revision: HANDSHAKE })
  await expect(old.request('lamps/on')).rejects.toMatchObject({ code: -32601 })
})

it('a method of the protocol is never another server’s', async () => {
  const server = serve()
  server.relaying.extensions.add(EXTENSION)
  const client = await createTestClient(server, { revision: NEW })
  for (const method of ['tools/call', 'tasks/get', 'tasks/update', 'exit', 'lamps/off'])
    await expect(client.request(method), method).rejects.toMatchObject({ code: -32601 })
})

it('what a server does itself takes no scope of another server’s', async () => {
  const server = defineServer({
    name: 'ours',
    version: '1',
    extensions: [
      { id: 'com.example/own', settings: {}, handshake: false, methods: { 'lamps/on': () => ({}) } },
    ],
  })
  server.tools.add({ name: 't', run: () => '' })
  server.relaying.extensions.add(EXTENSION)
  const bob = await createTestClient(server, { principal: BOB })
  expect((await bob.request('tools/list'))['tools']).toHaveLength(1)
  expect(await bob.request('lamps/on')).not.toHaveProperty('lit')
})

it('of several servers that have a method, one that is for the caller is enough', async () => {
  const server = serve()
  server.relaying.extensions.add(EXTENSION)
  server.relaying.extensions.add({ ...EXTENSION, scopes: ['ours'], find: () => () => ({ lit: 'ours' }) })
  const bob = await createTestClient(server, { principal: BOB })
  expect(await bob.request('lamps/on', { lamp: 1 })).toMatchObject({ lit: 'ours' })
  const eve = await createTestClient(server, { principal: { id: 'eve', scopes: [] } })
  await expect(eve.request('lamps/on')).rejects.toThrow('this needs theirs')
})

it('whoever wants to know hears when the folders of a client are others', async () => {
  const server = serve()
  const heard: object[] = []
  server.relaying.roots.add((link) => void heard.push(link))
  const client = await createTestClient(server, { revision: HANDSHAKE })
  client.notify('notifications/initialized')
  expect(heard).toHaveLength(0)
  client.notify('notifications/roots/list_changed')
  expect(heard).toHaveLength(1)
})

it('who asks by a name that another server gives is told what that is called here, if it is one they may see', async () => {
  const server = serve()
  const own = { scopes: ['theirs'], run: () => '' }
  for (const name of ['a_go', 'b_go', 'c_go', 'd_go']) server.tools.add({ ...own, name })
  for (const name of ['a', 'b', 'none', 'c', 'd']) {
    const nameHere = (_list: string, asked: string) =>
      asked === 'go' && name !== 'none' ? `${name}_go` : undefined
    server.relaying.upstreams.add({ ...upstream(name), nameHere } as RelayedServer)
  }
  const told = async (principal: typeof ANN, name: string) => {
    const client = await createTestClient(server, { principal })
    return client.callTool(name).catch(({ message }: Error) => message)
  }
  expect(await told(ANN, 'go')).toContain('Unknown tool: go. It is called a_go or b_go or c_go here')
  expect(await told(BOB, 'go')).toMatch(/Unknown tool: go$/)
  expect(await told(ANN, 'stay')).toMatch(/Unknown tool: stay$/)
})

it('of several servers that may have what is not there, one is named that is known not to be there, or else the first', () => {
  const relaying = createRelaying()
  const absent = (name: string, isAwaited: boolean) => {
    const absence = { reason: name, isAwaited, prefix: 'a_', scopes: [] }
    relaying.upstreams.add({ ...upstream(name), absence } as RelayedServer)
  }
  const owner = (name = 'a_go') => ownerOfAbsent(name, relaying, ANN)?.name
  expect(owner()).toBeUndefined()
  absent('awaited', true)
  absent('also awaited', true)
  expect(owner()).toBe('awaited')
  absent('gone', false)
  expect([owner(), owner('b_go')]).toEqual(['gone', undefined])
})
