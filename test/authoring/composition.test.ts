import { describe, expect, it } from 'vitest'
import {
  createTestClient,
  defineModule,
  defineServer,
  type Middleware,
  type Module,
  mount,
  type TelemetryRecord,
  telemetry,
} from '../../src/index.ts'

/** A module with something of each kind, whose middleware says what it wraps. */
function shop(seen: string[] = []): Module {
  return defineModule({
    name: 'shop',
    tools: [{ name: 'hello', description: 'Say hello', scopes: ['shop'], run: () => 'Hello from the shop' }],
    prompts: [
      {
        name: 'order',
        otherNames: ['buy'],
        arguments: [{ name: 'drink' }],
        complete: { drink: (begun) => ['tea', 'coffee'].filter((one) => one.startsWith(begun)) },
        render: ({ drink = 'nothing' }) => `Order ${drink}`,
      },
    ],
    resources: [{ uri: 'shop://menu', name: 'menu', read: () => 'tea, coffee' }],
    templates: [
      {
        uriTemplate: 'shop://drinks/{name}',
        name: 'drink',
        complete: { name: (begun) => ['tea'].filter((one) => one.startsWith(begun)) },
        read: ({ name }) => `A cup of ${name}`,
      },
    ],
    extensions: [
      {
        id: 'com.example/shop',
        settings: {},
        handshake: false,
        methods: { 'shop/count': () => ({ count: 2 }) },
      },
    ],
    middleware: [saying('shop', seen)],
  })
}

function saying(who: string, seen: string[]): Middleware {
  return (call, next) => {
    seen.push(`${who} ${call.method}`)
    return next(call)
  }
}

const plain = defineModule({
  name: 'plain',
  tools: [{ name: 'hello', description: 'Say hello', run: () => 'Hello' }],
  resources: [{ uri: 'plain://one', name: 'one', read: () => 'one' }],
})

const text = (result: { readonly content: readonly unknown[] }) =>
  (result.content[0] as { text: string }).text

async function useAll(client: Awaited<ReturnType<typeof createTestClient>>, prefix = '') {
  await client.request('tools/list')
  await client.callTool(`${prefix}hello`)
  await client.request('prompts/get', { name: `${prefix}order` })
  await client.request('resources/read', { uri: 'shop://menu' })
  await client.request('resources/read', { uri: 'shop://drinks/tea' })
  await client.request('completion/complete', {
    ref: { type: 'ref/prompt', name: `${prefix}order` },
    argument: { name: 'drink', value: 't' },
  })
  await client.request('resources/read', { uri: 'plain://one' })
  await client.request('shop/count')
}

const OWN = [
  'tools/call',
  'prompts/get',
  'resources/read',
  'resources/read',
  'completion/complete',
  'shop/count',
].map((method) => `shop ${method}`)

describe('two modules with a tool of one name', () => {
  it('are refused side by side', () => {
    expect(() => defineServer({ name: 's', version: '1', modules: [plain, shop()] })).toThrow(
      'There is a tool "hello" already',
    )
  })

  it.each(['2024-11-05', '2025-11-25', '2026-07-28'])(
    'stand in one server when one is mounted (%s)',
    async (revision) => {
      const server = defineServer({ name: 's', version: '1', modules: [plain, mount('corner', shop())] })
      const client = await createTestClient(server, { revision })
      const { tools } = await client.request('tools/list')
      expect((tools as { name: string }[]).map(({ name }) => name)).toEqual(['hello', 'corner_hello'])
      expect(text(await client.callTool('hello'))).toBe('Hello')
      expect(text(await client.callTool('corner_hello'))).toBe('Hello from the shop')
    },
  )
})

describe('a module that is mounted', () => {
  const server = () => defineServer({ name: 's', version: '1', modules: [mount('corner', shop())] })

  it('has prompts by its name, and by their other names, which can be completed', async () => {
    const client = await createTestClient(server())
    const { prompts } = await client.request('prompts/list')
    expect(prompts).toMatchObject([{ name: 'corner_order' }])
    for (const name of ['corner_order', 'corner_buy'])
      expect(await client.request('prompts/get', { name, arguments: { drink: 'tea' } })).toMatchObject({
        messages: [{ content: { text: 'Order tea' } }],
      })
    const ref = { type: 'ref/prompt', name: 'corner_order' }
    const argument = { name: 'drink', value: 'c' }
    expect(await client.request('completion/complete', { ref, argument })).toMatchObject({
      completion: { values: ['coffee'] },
    })
    await expect(client.request('prompts/get', { name: 'order' })).rejects.toThrow('Unknown prompt: order')
  })

  it('has its resources and templates by their own URIs, to be read and completed', async () => {
    const client = await createTestClient(server())
    expect(await client.request('resources/list')).toMatchObject({ resources: [{ uri: 'shop://menu' }] })
    expect(await client.request('resources/read', { uri: 'shop://drinks/tea' })).toMatchObject({
      contents: [{ uri: 'shop://drinks/tea', text: 'A cup of tea' }],
    })
    const ref = { type: 'ref/resource', uri: 'shop://drinks/{name}' }
    const argument = { name: 'name', value: 't' }
    expect(await client.request('completion/complete', { ref, argument })).toMatchObject({
      completion: { values: ['tea'] },
    })
  })

  it('asks for the scopes it asks for anyway', async () => {
    const principal = { id: 'bob', scopes: ['other'] }
    const client = await createTestClient(server(), { principal })
    expect(await client.request('tools/list')).toMatchObject({ tools: [] })
    await expect(client.callTool('corner_hello')).rejects.toThrow('this needs shop')
  })

  it('adds, finds and removes by its own names what it adds when it is opened', async () => {
    const found: unknown[] = []
    const living = defineModule({
      name: 'living',
      open: ({ tools, prompts, resources }) => {
        tools.add({ name: 'one', run: () => 'one' })
        tools.add({ name: 'two', run: () => 'two' })
        prompts.add({ name: 'three', render: () => 'three' })
        resources.add({ uri: 'living://four', name: 'four', read: () => 'four' })
        found.push(tools.has('one'), tools.has('a_one'), tools.remove('two'), tools.size)
        found.push([...tools].map(({ key }) => key))
      },
    })
    const server = defineServer({ name: 's', version: '1', modules: [plain, mount('a', living)] })
    const client = await createTestClient(server)
    expect(found).toEqual([true, false, true, 2, ['hello', 'a_one']])
    expect(text(await client.callTool('a_one'))).toBe('one')
    expect(await client.request('prompts/list')).toMatchObject({ prompts: [{ name: 'a_three' }] })
    expect(await client.request('resources/read', { uri: 'living://four' })).toBeDefined()
  })

  it('tells clients when it adds a tool later', async () => {
    let add = () => {}
    const living = defineModule({
      name: 'living',
      tools: [],
      open: ({ tools }) => {
        add = () => tools.add({ name: 'late', run: () => 'late' })
      },
    })
    const server = defineServer({ name: 's', version: '1', modules: [mount('a', living)] })
    const client = await createTestClient(server, { revision: '2025-11-25' })
    add()
    expect(text(await client.callTool('a_late'))).toBe('late')
    expect(client.notices).toMatchObject([{ method: 'notifications/tools/list_changed' }])
  })

  it('can be mounted in what is mounted', async () => {
    const server = defineServer({ name: 's', version: '1', modules: [mount('a', mount('b', plain))] })
    const client = await createTestClient(server)
    expect(text(await client.callTool('a_b_hello'))).toBe('Hello')
  })

  it('must have a name that tools may begin with', () => {
    expect(() => mount('a', 5 as never)).toThrow('mount: expected a module, got the number 5')
    expect(() => mount('a b', plain)).toThrow(
      'mount: expected a name of 1 to 64 of A-Z a-z 0-9 _ - ., got the string "a b"',
    )
    expect(() => mount('a', shop as never)).toThrow(
      'mount: expected a module, got a function: mount("a", f(…))',
    )
    const long = defineModule({ name: 'long', tools: [{ name: 'x'.repeat(100), run: () => '' }] })
    expect(() => defineServer({ name: 's', version: '1', modules: [mount('y'.repeat(60), long)] })).toThrow(
      /^Tool name "y{60}_x{100}": use 1 to 128 of/,
    )
  })
})

describe('the middleware of a module', () => {
  it.each(['', 'corner'])('wraps its own calls and no others (mounted as %j)', async (name) => {
    const seen: string[] = []
    const module = name === '' ? shop(seen) : mount(name, shop(seen))
    const server = defineServer({ name: 's', version: '1', modules: [mount('plain', plain), module] })
    await useAll(await createTestClient(server), name === '' ? '' : 'corner_')
    expect(seen).toEqual(OWN)
  })

  it('wraps what the module has added when it was opened', async () => {
    const seen: string[] = []
    const living = defineModule({
      name: 'living',
      open: ({ tools }) => tools.add({ name: 'one', run: () => 'one' }),
      middleware: [saying('living', seen)],
    })
    const client = await createTestClient(defineServer({ name: 's', version: '1', modules: [living] }))
    await client.callTool('one')
    expect(seen).toEqual(['living tools/call'])
  })

  it('wraps all calls of the server where it says so, inside what is outermost, in the order of the modules', async () => {
    const seen: string[] = []
    const server = defineServer({
      name: 's',
      version: '1',
      middleware: [saying('server', seen)],
      modules: [
        shop(seen),
        { name: 'one', wraps: 'server', middleware: [saying('one', seen)] },
        { name: 'two', wraps: 'server', middleware: [saying('two', seen)] },
        { name: 'outer', wraps: 'outermost', middleware: [saying('outer', seen)] },
      ],
    })
    await (await createTestClient(server)).callTool('hello')
    expect(seen).toEqual(['outer', 'server', 'one', 'two', 'shop'].map((who) => `${who} tools/call`))
  })

  it('may answer instead of the tool, and is told when it forgets to go on', async () => {
    const server = defineServer({
      name: 's',
      version: '1',
      reports: true,
      modules: [
        {
          name: 'closed',
          tools: [{ name: 'shut', run: () => 'open' }],
          middleware: [() => ({ content: [{ type: 'text', text: 'closed' }] })],
        },
        {
          name: 'lazy',
          tools: [{ name: 'forgotten', run: () => '' }],
          middleware: [(() => undefined) as never],
        },
      ],
    })
    const client = await createTestClient(server)
    expect(text(await client.callTool('shut'))).toBe('closed')
    await expect(client.callTool('forgotten')).rejects.toThrow('Internal error')
  })
})

it.each(['first', 'last'])(
  'telemetry that is listed %s sees every call, and what is refused',
  async (place) => {
    const told: string[] = []
    const sink = {
      take: (record: TelemetryRecord) =>
        void (record.kind === 'completed' && told.push(`${record.method} ${record.outcome}`)),
    }
    const closed: Module = {
      name: 'closed',
      wraps: 'server',
      middleware: [
        (call, next) => {
          if (call.method === 'prompts/list') throw new Error('not today')
          return next(call)
        },
      ],
    }
    const others = [closed, shop()]
    const watcher = telemetry({ sinks: [sink] })
    const modules = place === 'first' ? [watcher, ...others] : [...others, watcher]
    const client = await createTestClient(defineServer({ name: 's', version: '1', modules, reports: true }))
    await client.callTool('hello')
    await client.request('prompts/list').catch(() => {})
    expect(told).toEqual(['tools/call ok', 'prompts/list error'])
  },
)
