import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import {
  createNodeHandler,
  createTestClient,
  defineModule,
  defineTool,
  elicit,
  Fault,
  Needs,
  type TestClient,
  type TestClientOptions,
} from '../../src/index.ts'
import type { Call, Server } from '../../src/kernel/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import type { UpstreamOptions } from '../../src/modules/upstream/options.ts'
import { siblingsOf } from '../../src/modules/upstream/siblings.ts'

const ending: (() => unknown)[] = []

/** What whoever runs the gateway has been told. */
const noted: string[] = []

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

function gatewayTo(...upstreams: readonly (readonly [name: string, options: UpstreamOptions])[]): Server {
  const modules = upstreams.map(([name, options]) => upstream(name, options))
  const observe = (event: { kind: string; message?: string }) =>
    void (event.kind === 'noted' && noted.push(event.message ?? ''))
  const gateway = defineServer({ name: 'gateway', version: '1', modules, observe, reports: true })
  ending.push(() => gateway.close())
  return gateway
}

function serverWith(name: string, ...names: readonly string[]): Server {
  const tools = names.map((one) => defineTool({ name: one, run: () => `${one} of ${name}` }))
  return defineServer({
    name,
    version: '1',
    tools,
    resources: [{ uri: 'memo://one', name: 'one', subscribable: true, read: () => `memo of ${name}` }],
  })
}

/** A client of a gateway all of whose upstreams have been looked at: on a busy machine that takes longer than a start waits. */
async function clientOf(gateway: Server, options: TestClientOptions = {}): Promise<TestClient> {
  await gateway.start()
  const upstreams = [...siblingsOf(gateway)]
  await Promise.all(upstreams.map(({ looked }) => looked))
  return createTestClient(gateway, options)
}

interface Behind {
  readonly url: string
  /** While it is away, nobody is answered. */
  isAway: boolean
}

async function behindHttp(server: Server): Promise<Behind> {
  const handler = createNodeHandler(server, { allowAnonymous: true })
  const behind = { url: '', isAway: false }
  const http: HttpServer = createServer((request, response) => {
    if (behind.isAway) request.socket.destroy()
    else handler(request, response)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  behind.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  ending.push(async () => {
    http.closeAllConnections()
    http.close()
    await server.close()
  })
  return behind
}

const text = (result: { readonly content: readonly object[] }) => (result.content[0] as { text: string }).text

describe('several upstreams', () => {
  it('are told apart by their names, and one alone is left as it is', async () => {
    const alone = await clientOf(gatewayTo(['left', { server: serverWith('left', 'go') }]))
    expect((await alone.tools()).map(({ name }) => name)).toEqual(['go'])
    const both = gatewayTo(
      ['left', { server: serverWith('left', 'go') }],
      ['right', { server: serverWith('right', 'go') }],
    )
    const client = await clientOf(both)
    expect((await client.tools()).map(({ name }) => name)).toEqual(['left_go', 'right_go'])
    expect(text(await client.callTool('right_go'))).toBe('go of right')
  })

  it('that share a URI are told apart by it', async () => {
    const client = await clientOf(
      gatewayTo(
        ['left', { server: serverWith('left', 'go') }],
        ['right', { server: serverWith('right', 'go') }],
      ),
    )
    const uris = (await client.resources()).map(({ uri }) => uri)
    expect(uris).toEqual(['memo://one', 'memo://one?upstream=right'])
    const read = await Promise.all(uris.map((uri) => client.read(uri)))
    expect(read.map(({ contents }) => (contents[0] as { text: string }).text)).toEqual([
      'memo of left',
      'memo of right',
    ])
  })

  it('start although one of them says a name that is too long or taken: that alone is left out, and how to mend it is said', async () => {
    const long = serverWith('left', 'x'.repeat(58), 'go')
    const gateway = gatewayTo(['left', { server: long }], ['right', { server: serverWith('right', 'go') }])
    expect((await (await clientOf(gateway)).tools()).map(({ name }) => name)).toEqual(['left_go', 'right_go'])
    expect([...siblingsOf(gateway)][0]?.state.leftOut.join()).toContain('Give left a shorter prefix')
    const right = serverWith('right', 'go')
    const twice = gatewayTo(['left', { server: long, prefix: '' }], ['right', { server: right, prefix: '' }])
    const client = await clientOf(twice)
    expect(text(await client.callTool('go'))).toBe('go of left')
    expect([...siblingsOf(twice)][1]?.state.leftOut).toEqual([
      'right: the tool go is left out: there is one of this name already. Give right another prefix, or the tool another name by rename',
    ])
  })

  it('are held to the same length where they have no prefix, unless there is one server alone', async () => {
    const name = 'x'.repeat(61)
    const left: UpstreamOptions = { server: serverWith('left', name, 'go'), prefix: '' }
    const alone = await clientOf(gatewayTo(['left', left]))
    expect((await alone.tools()).map((tool) => tool.name)).toEqual([name, 'go'])
    const gateway = gatewayTo(['left', left], ['right', { server: serverWith('right', 'go') }])
    const client = await clientOf(gateway)
    expect((await client.tools()).map((tool) => tool.name)).toEqual(['go', 'right_go'])
    const problem = `left: the tool ${name} is left out: its name has more than 60 characters. Give left a gateway of its own, or the tool another name by rename`
    expect([...siblingsOf(gateway)][0]?.state.leftOut).toEqual([problem])
    expect(noted).toContain(problem)
    const given: UpstreamOptions = { ...left, rename: { go: 'y'.repeat(61) } }
    await expect(gatewayTo(['left', given], ['right', left]).start()).rejects.toThrow('is too long')
  })

  it('do not start where the names that somebody has written cannot all be', async () => {
    const server = serverWith('both', 'go', 'come')
    const clash: UpstreamOptions = { server, prefix: 'x_', rename: { go: 'say' } }
    await expect(gatewayTo(['left', clash], ['right', clash]).start()).rejects.toThrow(
      'right: rename: x_say is the name of a tool of left already. Give one another',
    )
    const long: UpstreamOptions = { server, rename: { go: 'y'.repeat(60) } }
    await expect(gatewayTo(['left', long], ['right', { server }]).start()).rejects.toThrow(
      /left: rename: left_y+ is too long: names may have 60 characters/,
    )
    const first: UpstreamOptions = { server, prefix: 'z'.repeat(60) }
    await expect(gatewayTo(['left', first], ['right', { server }]).start()).rejects.toThrow('left: prefix: z')
  })

  it('have the names that somebody has given them, whoever else says that it has them', async () => {
    const thief = serverWith('thief', 'mine')
    const owner = serverWith('owner', 'go')
    const gateway = gatewayTo(
      ['thief', { server: thief, prefix: '' }],
      ['owner', { server: owner, prefix: '', rename: { go: 'mine' } }],
    )
    const client = await clientOf(gateway)
    expect(text(await client.callTool('mine'))).toBe('go of owner')
    expect([...siblingsOf(gateway)][0]?.state.leftOut.join()).toContain(
      'the tool mine is left out: owner was given this name',
    )
  })

  it('leave out what gets such a name later, and note it', async () => {
    const left = serverWith('left', 'go')
    const gateway = gatewayTo(['left', { server: left }], ['right', { server: serverWith('right', 'go') }])
    const client = await clientOf(gateway)
    left.tools.add({ name: 'x'.repeat(58), run: () => '' })
    left.tools.add({ name: 'last', run: () => '' })
    await vi.waitFor(async () =>
      expect((await client.tools()).map(({ name }) => name)).toEqual(['left_go', 'left_last', 'right_go']),
    )
    expect(noted.join()).toContain(
      'is left out: its name has more than 60 characters. Give left a shorter prefix',
    )
  })
})

describe('what stands on no list', () => {
  /** It reads what is under its own name, and lists nothing of it. */
  const secretive = (name: string) =>
    defineServer({
      name,
      version: '1',
      templates: [{ uriTemplate: `${name}://{thing}`, name, read: ({ thing }) => `${thing} of ${name}` }],
      resources: [{ uri: 'memo://shared', name: 'shared', read: () => `memo of ${name}` }],
    })
  it('is read from whichever of several upstreams has it, or from the one that is named', async () => {
    const gateway = gatewayTo(
      ['left', { server: secretive('left') }],
      ['right', { server: secretive('right') }],
      ['dead', { url: 'http://127.0.0.1:9/mcp' }],
    )
    const client = await clientOf(gateway)
    for (const one of ['left', 'right']) gateway.templates.remove(`${one}://{thing}`)
    const read = async (uri: string) => ((await client.read(uri)).contents[0] as { text: string }).text
    expect(await read('right://cup')).toBe('cup of right')
    expect(await read('left://cup')).toBe('cup of left')
    expect(await read('right://cup?upstream=right')).toBe('cup of right')
    await expect(read('nobody://cup')).rejects.toThrow('nobody://cup')
    await expect(read('left://cup?upstream=dead')).rejects.toThrow('dead cannot be reached')
  })
})

const sessionTool = defineTool({
  name: 'session',
  run: (_none, call) => String((call as unknown as Call).link.carrier?.session),
})

describe('a connection', () => {
  const sessions = () => defineServer({ name: 's', version: '1', tools: [sessionTool] })

  it('is each client’s own where the upstream keeps sessions', async () => {
    const { url } = await behindHttp(sessions())
    const gateway = gatewayTo(['s', { url, revision: '2025-11-25' }])
    const [ann, bob] = [await clientOf(gateway), await clientOf(gateway)]
    const ids = [
      await ann.callTool('session'),
      await ann.callTool('session'),
      await bob.callTool('session'),
    ].map(text)
    expect(ids[0]).toBe(ids[1])
    expect(ids[0]).not.toBe(ids[2])
    expect(ids[0]).not.toBe('undefined')
  })

  it('that reads the lists takes no client’s place', async () => {
    const staying: ((text: string) => void)[] = []
    const stay = { name: 'stay', run: () => new Promise<string>((resolve) => staying.push(resolve)) }
    const { url } = await behindHttp(defineServer({ name: 's', version: '1', tools: [sessionTool, stay] }))
    const gateway = defineServer({
      name: 'gateway',
      version: '1',
      modules: [upstream('s', { url, revision: '2025-11-25' })],
      budgets: { maxUpstreamConnections: 1 },
    })
    ending.push(() => gateway.close())
    const [ann, bob] = [await clientOf(gateway), await clientOf(gateway)]
    const stays = ann.callTool('stay')
    await vi.waitFor(() => expect(staying).toHaveLength(1))
    expect(gateway.usage.read('maxUpstreamConnections')).toBe(1)
    expect(text(await bob.callTool('session'))).toContain(
      's has 1 connections for clients, all in use (--max-upstream-connections)',
    )
    staying[0]?.('done')
    expect(text(await stays)).toBe('done')
    expect(text(await bob.callTool('session'))).not.toContain('all in use')
  })

  it('is shared where somebody says so, and where nothing is kept', async () => {
    const { url } = await behindHttp(sessions())
    const shared = gatewayTo(['s', { url, revision: '2025-11-25', shared: true }])
    const ids = await Promise.all(
      [1, 2].map(async () => text(await (await clientOf(shared)).callTool('session'))),
    )
    expect(ids[0]).toBe(ids[1])
    const stateless = await clientOf(gatewayTo(['s', { url }]))
    expect(text(await stateless.callTool('session'))).toBe('undefined')
  })
})

const asking = () =>
  defineServer({
    name: 'asking',
    version: '1',
    tools: [
      defineTool({
        name: 'who',
        run: (_none, call) => {
          call.log('warning', 'about to ask')
          const asked = call.ask({
            name: elicit({
              message: 'Who?',
              schema: {
                type: 'object',
                properties: { name: { type: 'string' } },
                required: ['name'],
              } as const,
            }),
          })
          if (asked instanceof Needs) return asked
          return asked.name.action === 'accept' ? `it is ${asked.name.content.name}` : asked.name.action
        },
      }),
    ],
  })

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])(
  'an upstream over HTTP that speaks %s',
  (spoken) => {
    it.each(['2025-06-18', '2025-11-25', '2026-07-28'])('asks a client that speaks %s', async (revision) => {
      const { url } = await behindHttp(asking())
      const gateway = gatewayTo(['asking', { url, revision: spoken }])
      const answers = { 'elicitation/create': () => ({ action: 'accept', content: { name: 'Ann' } }) }
      const clients = await Promise.all([1, 2, 3].map(() => clientOf(gateway, { revision, answers })))
      const said = await Promise.all(clients.map(async (client) => text(await client.callTool('who'))))
      expect(said).toEqual(['it is Ann', 'it is Ann', 'it is Ann'])
      const refusing = await clientOf(gateway, {
        revision,
        answers: { 'elicitation/create': () => ({ action: 'decline' }) },
      })
      expect(text(await refusing.callTool('who'))).toBe('decline')
    })
  },
)

describe('an upstream that cannot be reached', () => {
  it('keeps what it had listed, says who, why and when, and is well again by itself', async () => {
    const behind = await behindHttp(serverWith('far', 'go'))
    const gateway = gatewayTo(['far', { url: behind.url }], ['near', { server: serverWith('near', 'go') }])
    const client = await clientOf(gateway)
    expect(text(await client.callTool('far_go'))).toBe('go of far')
    behind.isAway = true
    await vi.waitFor(async () => expect((await client.callTool('far_go')).isError).toBe(true))
    expect(text(await client.callTool('far_go'))).toMatch(/^far/)
    expect((await client.tools()).map(({ name }) => name).sort()).toEqual(['far_go', 'near_go'])
    expect(text(await client.callTool('near_go'))).toBe('go of near')
    behind.isAway = false
    await vi.waitFor(async () => expect(text(await client.callTool('far_go'))).toBe('go of far'), {
      timeout: 15_000,
      interval: 200,
    })
  })

  it('does not keep a server from starting, which offers what there is as soon as there is something', async () => {
    const behind = await behindHttp(serverWith('late', 'go'))
    behind.isAway = true
    const gateway = gatewayTo(['late', { url: behind.url }])
    const client = await createTestClient(gateway, { revision: '2025-11-25' })
    expect(client.capabilities).toMatchObject({ tools: {}, resources: {}, prompts: {} })
    expect(await client.tools()).toEqual([])
    behind.isAway = false
    await vi.waitFor(
      () => expect(client.notices.map(({ method }) => method)).toContain('notifications/tools/list_changed'),
      {
        timeout: 20_000,
        interval: 100,
      },
    )
    expect(text(await client.callTool('go'))).toBe('go of late')
  })
})

describe('what is wrong with an upstream is said where it is written', () => {
  it.each([
    ['a b', { command: 'x' }, 'upstream: expected a name'],
    ['x', {}, 'expected one of url, command and server, got none of them'],
    ['x', { url: 'http://127.0.0.1', command: 'x' }, 'got url and command'],
    ['x', undefined, 'expected { url } or { command, args }, got nothing'],
    ['x', { comand: 'x' }, 'comand'],
  ])('%s %j', (name, options, message) => {
    expect(() => upstream(name, options as UpstreamOptions)).toThrow(message)
  })
})

describe('what an upstream has beyond the protocol', () => {
  const extended = (name: string) =>
    defineServer({
      name,
      version: '1',
      modules: [
        defineModule({
          name: 'skills',
          extensions: [
            {
              id: 'io.modelcontextprotocol/skills',
              settings: { of: name },
              handshake: false,
              methods: {
                'skills/list': () => ({ skills: [{ uri: `skill://${name}` }] }),
                'skills/get': ({ params }) => {
                  if (params?.['uri'] !== `skill://${name}`) throw new Fault('invalidParams', 'No such skill')
                  return { skill: { uri: `skill://${name}`, of: name } }
                },
              },
            },
          ],
        }),
      ],
    })

  it('is declared and answered, and of several upstreams whoever knows answers', async () => {
    const alone = await clientOf(gatewayTo(['left', { server: extended('left') }]))
    expect((await alone.request('server/discover'))['capabilities']).toMatchObject({
      extensions: { 'io.modelcontextprotocol/skills': { of: 'left' } },
    })
    expect(await alone.request('skills/list')).toMatchObject({ skills: [{ uri: 'skill://left' }] })
    await expect(alone.request('skills/get', { uri: 'skill://none' })).rejects.toThrow('No such skill')
    const both = await clientOf(
      gatewayTo(['left', { server: extended('left') }], ['right', { server: extended('right') }]),
    )
    expect(await both.request('skills/list')).toMatchObject({
      skills: [{ uri: 'skill://left' }, { uri: 'skill://right' }],
    })
    expect(await both.request('skills/get', { uri: 'skill://right' })).toMatchObject({
      skill: { of: 'right' },
    })
  })

  it('is not for clients with a handshake, nor for what every revision has', async () => {
    const gateway = gatewayTo(['left', { server: extended('left') }])
    const client = await clientOf(gateway, { revision: '2025-11-25' })
    await expect(client.request('skills/list')).rejects.toThrow('Method not found')
    await expect((await clientOf(gateway)).request('logging/setLevel', {})).rejects.toThrow(
      'Method not found',
    )
  })
})
