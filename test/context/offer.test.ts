import { describe, expect, it } from 'vitest'
import {
  createTestClient,
  defineModule,
  defineServer,
  defineTool,
  elicit,
  mount,
  Needs,
  type ServerDefinition,
  type TelemetryRecord,
  type ToolDefinition,
  telemetry,
} from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import { serveHttp } from '../../src/transports/http/index.ts'
import { connectText } from '../../src/transports/memory/index.ts'

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

const weather = defineTool({
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] },
  run: ({ city }) => ({ degrees: city.length }),
})

const invoice = defineTool({
  name: 'send_invoice',
  description: 'Sends an invoice to a customer.',
  scopes: ['billing'],
  input: { type: 'object', properties: { customer: { type: 'string' } }, required: ['customer'] },
  run: ({ customer }) => `sent to ${customer}`,
})

function define(more: Partial<ServerDefinition> = {}) {
  return defineServer({
    name: 's',
    version: '1',
    offer: 'search',
    tools: [weather, invoice],
    reports: true,
    ...more,
  })
}

const textOf = ({ content }: { readonly content: readonly object[] }) => (content[0] as { text: string }).text

const namesOf = async (client: Awaited<ReturnType<typeof createTestClient>>) =>
  (await client.tools()).map(({ name }) => name)

describe('a server that offers a search', () => {
  it.each(REVISIONS)('lists the search and the call in place of its tools (%s)', async (revision) => {
    expect(await namesOf(await createTestClient(define(), { revision }))).toEqual(['search', 'call'])
  })

  it.each(REVISIONS)('finds tools by what they do, and calls them (%s)', async (revision) => {
    const client = await createTestClient(define(), { revision })
    const found = await client.callTool('search', { query: 'what is the weather in Rome?' })
    expect(textOf(found)).toBe(
      '/** Tells the weather of a city. */\nget_weather(args: { city: string }): Promise<{ degrees: number }>',
    )
    const called = await client.callTool('call', { name: 'get_weather', arguments: { city: 'Rome' } })
    expect(textOf(called)).toBe('{"degrees":4}')
  })

  it('does not look for more than a few words, since each is looked for in every tool', async () => {
    const server = define()
    const client = await createTestClient(server)
    const { isError, content } = await client.callTool('search', { query: 'w '.repeat(513) })
    expect(isError).toBe(true)
    expect(textOf({ content })).toContain('at most 1024 bytes, got 1026 (--max-search)')
    expect((await client.callTool('search', { query: 'w '.repeat(512) })).isError).toBe(false)
    expect(server.usage.read('maxSearchBytes')).toBe(1024)
  })

  it('gives what it finds as values, too', async () => {
    const client = await createTestClient(define())
    const { structuredContent } = await client.callTool('search', { query: 'invoices', limit: 1 })
    expect(structuredContent).toEqual({
      tools: [
        {
          name: 'send_invoice',
          signature: 'send_invoice(args: { customer: string }): Promise<string>',
          description: 'Sends an invoice to a customer.',
        },
      ],
    })
  })

  it('says so where nothing matches', async () => {
    const client = await createTestClient(define())
    const found = await client.callTool('search', { query: 'zebra' })
    expect(textOf(found)).toBe(
      'Nothing matches "zebra" among 2 tools. Try other words for what is to be done.',
    )
    expect(found.structuredContent).toEqual({ tools: [] })
  })

  it('checks the arguments of what is called, and tells the nearest name of what is not there', async () => {
    const client = await createTestClient(define())
    const wrong = await client.callTool('call', { name: 'get_weather', arguments: { city: 1 } })
    expect(wrong.isError).toBe(true)
    expect(textOf(wrong)).toContain('Invalid arguments for tool get_weather: city')
    const unknown = await client.callTool('call', { name: 'get_wether' })
    expect(unknown.isError).toBe(true)
    expect(textOf(unknown)).toBe(
      'There is no tool "get_wether". Did you mean get_weather? search finds tools by what they do.',
    )
    const nameless = await client.callTool('call', { tool: 'get_weather' })
    expect(textOf(nameless)).toContain('Invalid arguments for tool call: name')
  })

  it('neither finds nor calls for a caller what it may not see', async () => {
    const client = await createTestClient(define(), { principal: { id: 'ann', scopes: ['news'] } })
    expect((await client.callTool('search', { query: 'invoice' })).structuredContent).toEqual({ tools: [] })
    const called = await client.callTool('call', { name: 'send_invoice', arguments: { customer: 'x' } })
    expect(textOf(called)).toBe('There is no tool "send_invoice". search finds tools by what they do.')
    const bob = await createTestClient(define(), { principal: { id: 'bob', scopes: ['billing'] } })
    expect(textOf(await bob.callTool('call', { name: 'send_invoice', arguments: { customer: 'x' } }))).toBe(
      'sent to x',
    )
  })

  it('finds what comes and no longer what has gone, and tells nobody of a list that looks the same', async () => {
    const server = define()
    const client = await createTestClient(server, { revision: '2025-11-25' })
    server.tools.add({ name: 'paint_zebra', description: 'Paints a zebra.', run: () => 'painted' })
    server.tools.remove('get_weather')
    expect((await client.callTool('search', { query: 'zebra' })).structuredContent).toMatchObject({
      tools: [{ name: 'paint_zebra' }],
    })
    expect((await client.callTool('search', { query: 'weather' })).structuredContent).toEqual({ tools: [] })
    expect(client.notices).toEqual([])
    server.tools.add({ name: 'help', offer: 'always', run: () => 'helped' })
    await client.request('ping')
    expect(client.notices.map(({ method }) => method)).toEqual(['notifications/tools/list_changed'])
  })

  it('lists what its author wants listed in any case', async () => {
    const help = defineTool({ name: 'help', offer: 'always', run: () => 'helped' })
    const client = await createTestClient(define({ tools: [weather, help] }))
    expect(await namesOf(client)).toEqual(['search', 'call', 'help'])
    expect(textOf(await client.callTool('help'))).toBe('helped')
  })

  it('hides tools that are called search or call, which can be called all the same', async () => {
    const own: ToolDefinition[] = ['search', 'call'].map((name) => ({ name, run: () => `my ${name}` }))
    const client = await createTestClient(define({ tools: own }))
    expect(await namesOf(client)).toEqual(['search', 'call'])
    expect(textOf(await client.callTool('call', { name: 'search' }))).toBe('my search')
    expect(textOf(await client.callTool('call', { name: 'call' }))).toBe('my call')
    expect(textOf(await client.callTool('search', { query: 'call' }))).toContain('call(')
  })

  it('does not take a tool of such a name that is always listed', () => {
    const search = defineTool({ name: 'search', offer: 'always', run: () => '' })
    expect(() => define({ tools: [search] })).toThrow(
      "Tool search: with this server's offer there is a search on the list already",
    )
  })

  it.each(REVISIONS)('lets a tool ask its user, through the call (%s)', async (revision) => {
    const schema = {
      type: 'object',
      properties: { size: { type: 'string' } },
      required: ['size'],
    } as const
    const order = defineTool({
      name: 'order_tea',
      run: (_args, call) => {
        const asked = call.ask({ form: elicit({ message: 'Which size?', schema }) })
        if (asked instanceof Needs) return asked
        return asked.form.action === 'accept' ? `a ${asked.form.content.size} tea` : 'no tea'
      },
    })
    const answers = { 'elicitation/create': () => ({ action: 'accept', content: { size: 'large' } }) }
    const client = await createTestClient(define({ tools: [order] }), { revision, answers })
    const asked = client.callTool('call', { name: 'order_tea', arguments: {} })
    if (revision < '2025-06-18') await expect(asked).rejects.toThrow('to ask its user by a form')
    else expect(textOf(await asked)).toBe('a large tea')
  })

  it('has middleware and telemetry see the tool that is meant', async () => {
    const records: TelemetryRecord[] = []
    const sink = { take: (record: TelemetryRecord) => void records.push(record) }
    const seen: unknown[] = []
    const server = define({
      modules: [telemetry({ sinks: [sink] })],
      middleware: [
        (call, next) => {
          if (call.method === 'tools/call') seen.push(call.params?.['name'])
          return next(call)
        },
      ],
    })
    const client = await createTestClient(server)
    await client.callTool('call', { name: 'get_weather', arguments: { city: 'Rome' } })
    expect(seen).toEqual(['get_weather'])
    expect(records.some((record) => JSON.stringify(record).includes('"get_weather"'))).toBe(true)
  })

  it('finds the tools of a module by what the module is about', async () => {
    const module = defineModule({
      name: 'ledger',
      description: 'Accounting for small firms.',
      tools: [{ name: 'list', description: 'Lists entries.', run: () => 'entries' }],
    })
    const client = await createTestClient(define({ modules: [mount('books', module)] }))
    const { structuredContent } = await client.callTool('search', { query: 'accounting' })
    expect(structuredContent).toMatchObject({ tools: [{ name: 'books_list' }] })
  })

  it('lets those wait for a tool that would be a task, where clients decide about tasks', async () => {
    const bake = defineTool({ name: 'bake', task: 'required', run: async () => 'baked' })
    const client = await createTestClient(define({ tools: [bake] }), { revision: '2025-11-25' })
    expect(textOf(await client.callTool('call', { name: 'bake' }))).toBe('baked')
  })
})

describe('a server that offers a search where its tools are many', () => {
  const many = (count: number): ToolDefinition[] =>
    Array.from({ length: count }, (_, at) => ({
      name: `tool_${at}`,
      description: 'x'.repeat(350),
      run: () => `ran ${at}`,
    }))

  it('shows all of them while they are few', async () => {
    const server = define({ offer: 'auto', tools: many(3) })
    const client = await createTestClient(server)
    expect(await namesOf(client)).toEqual(['tool_0', 'tool_1', 'tool_2'])
  })

  it('shows a search when they become many, and tells its clients when that changes', async () => {
    const server = define({ offer: 'auto', tools: many(60) })
    const client = await createTestClient(server, { revision: '2025-11-25' })
    expect((await namesOf(client)).length).toBe(60)
    for (const tool of many(100).slice(60)) server.tools.add(tool)
    await client.request('ping')
    expect(client.notices).toHaveLength(1)
    expect(await namesOf(client)).toEqual(['search', 'call'])
    server.tools.add({ name: 'one_more', run: () => '' })
    await client.request('ping')
    expect(client.notices).toHaveLength(1)
    expect(textOf(await client.callTool('call', { name: 'tool_7' }))).toBe('ran 7')
    for (const tool of many(100).slice(20)) server.tools.remove(tool.name)
    await client.request('ping')
    expect(client.notices).toHaveLength(2)
    expect(await namesOf(client)).toContain('one_more')
  })

  it('shows all of them to a host that searches itself, and says that the list is not for others', async () => {
    const server = define({ offer: 'auto', tools: many(100) })
    const call = async (name: string) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name, version: '1' },
      }
      const line = await new Promise<string>((resolve) => {
        const end = connectText(server as Server, resolve)
        end.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }))
      })
      return JSON.parse(line).result
    }
    const known = await call('claude-code')
    expect(known['tools']).toHaveLength(100)
    expect(known['cacheScope']).toBe('private')
    expect((await call('somebody'))['tools']).toHaveLength(2)
  })
})

describe('a server that stands for others', () => {
  it.each(REVISIONS)('offers a search among their tools (%s)', async (revision) => {
    const behind = await serveHttp(
      defineServer({
        name: 'forecasts',
        version: '1',
        description: 'Meteorology of the northern seas.',
        tools: [weather],
        reports: true,
      }),
      { port: 0 },
    )
    const gateway = define({ tools: [], modules: [upstream('north', { url: behind.url })] })
    const client = await createTestClient(gateway, { revision })
    expect(await namesOf(client)).toEqual(['search', 'call'])
    expect(textOf(await client.callTool('search', { query: 'meteorology' }))).toContain('get_weather(')
    const called = await client.callTool('call', { name: 'get_weather', arguments: { city: 'Oslo' } })
    expect(textOf(called)).toBe('{"degrees":4}')
    client.close()
    await gateway.close()
    await behind.close()
  })
})
