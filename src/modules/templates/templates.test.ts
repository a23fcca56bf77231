import { expect, it } from 'vitest'
import { talk } from '../../../test/setup/talk.ts'
import { defineServer } from '../../authoring/define-server.ts'
import { createTestClient, type TestClient } from '../../transports/memory/test-client.ts'
import { basics } from '../basics/index.ts'
import { templates } from './index.ts'
import { fill, placeholders } from './template.ts'

async function connect() {
  const server = defineServer({ name: 's', version: '1', modules: [basics, templates()] })
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
  const server = defineServer({ name: 's', version: '1', modules: [basics, templates()] })
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

it('makes no more than a thousand', async () => {
  const client = await connect()
  for (let made = 0; made < 1000; made++) await register(client, `t${made}`, 'x')
  expect(await register(client, 'one_more', 'x')).toContain('error: There are 1000 registered tools already')
  await say(client, 'unregister_tool', { name: 't5' })
  expect(await register(client, 'one_more', 'x')).toBe('Registered tool: one_more')
})

it('finds placeholders once each, in their order, and only where there is a name', () => {
  expect(placeholders('{b} {a} {b} {} { a } {{c}} {d e} {f-g.h_1}')).toEqual(['b', 'a', 'c', 'f-g.h_1'])
  expect(fill('{{c}} {}', { c: 1 })).toBe('{1} {}')
})
