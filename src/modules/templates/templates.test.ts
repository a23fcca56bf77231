import { describe, expect, it } from 'vitest'
import { type Caller, openAs } from '../../../test/setup/caller.ts'
import { introduction, talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient, type TestClient } from '../../client/test-client.ts'
import type { Budgets, JsonObject } from '../../kernel/index.ts'
import { basics } from '../basics/index.ts'
import { introspection } from '../introspection/index.ts'
import { templates } from './index.ts'
import { fill, placeholders } from './template.ts'

async function connect() {
  const server = defineServer({ name: 's', version: '1', modules: [basics(), templates()] })
  return createTestClient(server, { revision: '2025-11-25' })
}

async function say(client: TestClient, tool: string, args: object = {}): Promise<string> {
  const { content, isError } = await client.callTool(tool, args as never)
  const [block] = content as readonly { readonly text: string }[]
  return `${isError === true ? 'error: ' : ''}${block?.text}`
}

const register = (client: TestClient, name: string, template: string) =>
  say(client, 'register_tool', { name, description: 'd', template })

it('makes a tool, uses it and removes it, and tells of both', async () => {
  const client = await connect()
  expect(await register(client, 'dear', 'Dear {name}, {name}! {greeting}')).toBe('Registered tool: dear')
  const { tools } = await client.request('tools/list')
  expect((tools as { name: string }[]).find(({ name }) => name === 'dear')).toMatchObject({
    description: 'd',
    inputSchema: { properties: { name: { type: 'string' } }, required: ['name', 'greeting'] },
  })
  expect(await say(client, 'dear', { name: 'Ann', greeting: 'Hi' })).toBe('Dear Ann, Ann! Hi')
  expect(await say(client, 'dear', { name: 'Ann' })).toContain('greeting: expected a string, got nothing')
  expect(await say(client, 'unregister_tool', { name: 'dear' })).toBe('Unregistered tool: dear')
  await expect(client.callTool('dear')).rejects.toThrow('Unknown tool: dear')
  expect(client.notices.filter(({ method }) => method === 'notifications/tools/list_changed')).toHaveLength(2)
})

it('tells of each change by itself, after its answer, when several come at once', () => {
  const server = defineServer({ name: 's', version: '1', modules: [basics(), templates()] })
  const call = (id: number, name: string, args: object) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  })
  const both = (id: number) => [
    call(id, 'register_tool', { name: 'dear', description: 'd', template: 'Dear {name}' }),
    call(id + 1, 'unregister_tool', { name: 'dear' }),
  ]
  const changed = 'notifications/tools/list_changed'
  const to = talk(server, '2025-03-26')
  for (const message of both(1)) to.send(message)
  expect(to.heard.map(({ id, method }) => id ?? method)).toEqual([1, changed, 2, changed])
  to.heard.length = 0
  to.send(both(3))
  expect(to.heard.map(({ id, method }) => id ?? method)).toEqual([3, 4, changed, changed])
})

it('takes values as they are: nothing in them is a pattern or a placeholder', async () => {
  const client = await connect()
  await register(client, 't', '<{a}|{b}>')
  for (const value of ['$&', "$'", '$1', '$$', '{b}', '{a}', '\\', '']) {
    expect(await say(client, 't', { a: value, b: 'B' })).toBe(`<${value}|B>`)
  }
})

it('lets no tool be shadowed, and none but its own be removed', async () => {
  const client = await connect()
  await register(client, 'mine', 'x')
  for (const name of ['hello', 'register_tool', 'unregister_tool', 'mine']) {
    expect(await register(client, name, 'evil')).toBe(`error: There is a tool "${name}" already`)
  }
  for (const name of ['hello', 'register_tool', 'unregister_tool']) {
    expect(await say(client, 'unregister_tool', { name })).toBe(
      `error: ${name} is built in and cannot be unregistered`,
    )
  }
  expect(await say(client, 'hello', { name: 'Ann' })).toBe('Hello, Ann!')
  expect(await say(client, 'unregister_tool', { name: 'nothing' })).toBe(
    'error: There is no tool nothing to unregister',
  )
  await say(client, 'unregister_tool', { name: 'mine' })
  expect(await say(client, 'unregister_tool', { name: 'mine' })).toContain('error: There is no tool mine')
  expect(await register(client, 'mine', 'again')).toBe('Registered tool: mine')
})

it('refuses names that no tool may have', async () => {
  const client = await connect()
  for (const name of ['', 'a b', 'ü', 'x'.repeat(129)])
    expect(await register(client, name, 'x')).toMatch(/^error: /)
  for (const name of ['__proto__', 'constructor']) {
    expect(await register(client, name, 'proto {x}')).toBe(`Registered tool: ${name}`)
    expect(await say(client, name, { x: 'y' })).toBe('proto y')
  }
})

it('has placeholders of any name, those of Object.prototype too', async () => {
  const client = await connect()
  await register(client, 't', '{constructor} {toString}')
  expect(await say(client, 't', {})).toContain('constructor: expected a string, got nothing')
  expect(await say(client, 't', { constructor: 'a', toString: 'b' })).toBe('a b')
})

it('has a property named __proto__ that is one like any other, and changes no prototype', async () => {
  const client = await connect()
  await register(client, 't', '<{__proto__}>')
  const args = JSON.parse('{"__proto__":"p"}')
  expect(await say(client, 't', args)).toBe('<p>')
  await say(client, 't', JSON.parse('{"__proto__":{"polluted":true}}'))
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

describe('what a caller has made', () => {
  const create = () =>
    defineServer({ name: 's', version: '1', modules: [basics(), introspection(), templates()] })
  const make = (caller: Caller, name: string, template = name) =>
    caller.say('register_tool', { name, description: `by ${name}`, template })
  const tools = (caller: Caller) => caller.list('tools/list', 'tools')
  const help = async (caller: Caller) =>
    JSON.stringify(await caller.ask('resources/read', { uri: 'help://commands' }))

  it('is seen, called and removed by that caller alone', async () => {
    const server = create()
    const [ann, bob] = [openAs(server, { id: 'ann' }), openAs(server, { id: 'bob' })]
    expect(await make(ann, 'mine')).toBe('Registered tool: mine')
    expect(await tools(ann)).toContain('mine')
    expect(await help(ann)).toContain('mine: by mine')
    expect(await ann.say('mine')).toBe('mine')
    expect(await tools(bob)).not.toContain('mine')
    expect(await help(bob)).not.toContain('mine')
    expect(await bob.say('mine')).toBe('error: Unknown tool: mine')
    expect(await bob.say('unregister_tool', { name: 'mine' })).toBe(
      'error: There is no tool mine to unregister',
    )
    expect(await ann.say('mine')).toBe('mine')
    expect(ann.heard('notifications/tools/list_changed')).toBe(1)
    expect(bob.heard('notifications/tools/list_changed')).toBe(0)
  })

  it('is there on all of its connections', async () => {
    const server = create()
    await make(openAs(server, { id: 'ann' }), 'mine')
    expect(await openAs(server, { id: 'ann' }).say('mine')).toBe('mine')
  })

  it('belongs to all who have no name, whatever carries them', async () => {
    const server = create()
    await make(openAs(server), 'ours')
    expect(await openAs(server, { id: 'anonymous', anonymous: true }).say('ours')).toBe('ours')
    expect(await tools(openAs(server, { id: 'ann' }))).not.toContain('ours')
  })

  it('may have the name of what another has made', async () => {
    const server = create()
    const [ann, bob] = [openAs(server, { id: 'ann' }), openAs(server, { id: 'bob' })]
    await make(ann, 'mine', 'of ann')
    expect(await make(bob, 'mine', 'of bob')).toBe('Registered tool: mine')
    expect([await ann.say('mine'), await bob.say('mine')]).toEqual(['of ann', 'of bob'])
    await bob.say('unregister_tool', { name: 'mine' })
    expect(await ann.say('mine')).toBe('of ann')
  })

  it('is not in a list that others may share', async () => {
    const server = create()
    await make(openAs(server, { id: 'ann' }), 'mine')
    const { result } = await openAs(server, { id: 'bob' }).ask('tools/list', { _meta: introduction() })
    expect(result).toMatchObject({ cacheScope: 'private' })
  })
})

describe('there is an end to', () => {
  async function connectWith(budgets: Partial<Budgets>) {
    const server = defineServer({ name: 's', version: '1', budgets, modules: [templates()] })
    return { server, client: openAs(server, { id: 'ann' }) }
  }
  const make = (client: Caller, args: JsonObject) =>
    client.say('register_tool', { name: 't', description: 'd', template: 'x', ...args })

  it.each([
    [
      'a template',
      { template: 'é'.repeat(8193) },
      'template: expected at most 16384 bytes, got 16386 (--max-template)',
    ],
    [
      'a description',
      { description: 'é'.repeat(513) },
      'description: expected at most 1024 bytes, got 1026 (--max-template-description)',
    ],
    [
      'placeholders',
      { template: Array.from({ length: 65 }, (_, n) => `{p${n}}`).join('') },
      'template: placeholders of different names: expected at most 64, got 65 (--max-template-placeholders)',
    ],
  ])('%s', async (_what, args, message) => {
    const { client } = await connectWith({})
    expect(await make(client, args)).toBe(`error: ${message}`)
    expect(await client.list('tools/list', 'tools')).not.toContain('t')
  })

  it('what just fits', async () => {
    const { client, server } = await connectWith({})
    const template = Array.from({ length: 64 }, (_, n) => `{p${n}}`)
      .join('')
      .padEnd(16_384, '.')
    expect(await make(client, { template, description: 'd'.repeat(1024) })).toBe('Registered tool: t')
    expect(server.usage.read('maxTemplateBytes')).toBe(16_384)
    expect(server.usage.read('maxTemplateDescriptionBytes')).toBe(1024)
    expect(server.usage.read('maxTemplatePlaceholders')).toBe(64)
  })

  it('the tools of one caller, who can make room', async () => {
    const { client, server } = await connectWith({ maxTemplatesPerCaller: 2 })
    for (const name of ['a', 'b']) expect(await make(client, { name })).toBe(`Registered tool: ${name}`)
    expect(await make(client, { name: 'c' })).toBe(
      'error: There is no room for more tools of yours, unregister one first: at most 2, got 3 (--max-templates-per-caller)',
    )
    expect(await make(openAs(server, { id: 'bob' }), { name: 'c' })).toBe('Registered tool: c')
    expect(server.usage.read('maxTemplatesPerCaller')).toBe(2)
    expect(server.usage.read('maxTemplates')).toBe(3)
    await client.say('unregister_tool', { name: 'a' })
    expect(server.usage.read('maxTemplates')).toBe(2)
    expect(await make(client, { name: 'c' })).toBe('Registered tool: c')
  })

  it('the tools of all callers', async () => {
    const { client, server } = await connectWith({ maxTemplates: 1 })
    await make(client, {})
    expect(await make(openAs(server, { id: 'bob' }), {})).toBe(
      'error: The server has no room for more registered tools: at most 1, got 2 (--max-templates)',
    )
  })

  it('the bytes of one caller, and of all', async () => {
    const template = 'x'.repeat(10_000)
    const one = await connectWith({ maxTemplateStorePerCallerBytes: 15_000 })
    await make(one.client, { name: 'a', template })
    expect(await make(one.client, { name: 'b', template })).toMatch(
      /unregister one first: at most 15000 bytes, got \d+ \(--max-template-store-per-caller\)$/,
    )
    expect(one.server.usage.read('maxTemplateStorePerCallerBytes')).toBeGreaterThan(10_000)
    const all = await connectWith({ maxTemplateStoreBytes: 15_000 })
    await make(all.client, { template })
    expect(await make(openAs(all.server, { id: 'bob' }), { template })).toMatch(
      /no room .* at most 15000 bytes, got \d+ \(--max-template-store\)$/,
    )
    expect(all.server.usage.read('maxTemplateStoreBytes')).toBeGreaterThan(10_000)
    await all.client.say('unregister_tool', { name: 't' })
    expect(all.server.usage.read('maxTemplateStoreBytes')).toBe(0)
  })

  it('the text that comes out, which is never begun when it would be too long', async () => {
    const { client, server } = await connectWith({})
    await make(client, { template: '{a}'.repeat(5000) })
    expect(await client.say('t', { a: 'x'.repeat(500_000) })).toBe(
      'error: The text would be too long: expected at most 1048576 bytes, got 2500000000 (--max-template-text)',
    )
    expect(await client.say('t', { a: 'x' })).toBe('x'.repeat(5000))
    expect(server.usage.read('maxTemplateTextBytes')).toBe(5000)
  })
})

it('finds placeholders once each, in their order, and only where there is a name', () => {
  const found = placeholders('{b} {a=x} {b} {} { a } {{c}} {d e} {f-g.h_1} {a=y} {=z}')
  expect(found.map(({ name }) => name)).toEqual(['b', 'a', 'c', 'f-g.h_1'])
  expect(found.map(({ fallback }) => fallback)).toEqual([undefined, 'x', undefined, undefined])
  expect(fill('{{c}} {}', { c: 1 })).toBe('{1} {}')
})
