import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  createTestClient,
  defineModule,
  defineServer,
  defineTool,
  elicit,
  type Middleware,
  mount,
  Needs,
  rateLimit,
  type ServerDefinition,
  type TelemetryRecord,
  type ToolDefinition,
  telemetry,
} from '../../src/index.ts'

const add = defineTool({
  name: 'add',
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  scopes: ['math'],
  run: ({ a, b }) => ({ sum: a + b }),
})

/** A tool that hands on what another one gives, or why it gives nothing. */
const through = (name: string, args = {}): ToolDefinition => ({
  name: 'through',
  run: async (_args, call) => {
    try {
      return JSON.stringify(await call.invoke(name, args))
    } catch (error) {
      return `refused: ${(error as Error).message}`
    }
  },
})

function define(tools: readonly ToolDefinition[], more: Partial<ServerDefinition> = {}) {
  return defineServer({ name: 's', version: '1', tools, reports: true, ...more })
}

async function say(tools: readonly ToolDefinition[], more: Partial<ServerDefinition> = {}, options = {}) {
  const client = await createTestClient(define(tools, more), options)
  const { content } = await client.callTool('through')
  return (content[0] as { text: string }).text
}

describe('a tool that calls a tool', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'gets the whole result, whatever its client speaks (%s)',
    async (revision) => {
      expect(JSON.parse(await say([add, through('add', { a: 2, b: 3 })], {}, { revision }))).toMatchObject({
        structuredContent: { sum: 5 },
        content: [{ type: 'text', text: '{"sum":5}' }],
      })
    },
  )

  it('has its arguments checked', async () => {
    const result = JSON.parse(await say([add, through('add', { a: 2, b: 'x' })]))
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'Invalid arguments for tool add: b: expected a number, got the string "x"' }],
    })
  })

  it('is told that there is no such tool', async () => {
    expect(await say([through('sub')])).toBe('refused: Unknown tool: sub')
  })

  it('cannot do what its caller may not do', async () => {
    const principal = { id: 'bob', scopes: ['poetry'] }
    expect(await say([add, through('add', { a: 1, b: 1 })], {}, { principal })).toBe(
      'refused: Insufficient scope: this needs math',
    )
  })

  it('counts against the limit of its caller', async () => {
    const middleware: readonly Middleware[] = [rateLimit({ perMinute: 1, burst: 1 })]
    expect(await say([add, through('add', { a: 1, b: 1 })], { middleware })).toMatch(
      /^refused: Too many requests/,
    )
  })

  it('is seen by telemetry, each call by an id of its own', async () => {
    const told: TelemetryRecord[] = []
    const modules = [telemetry({ sinks: [{ take: (record) => void told.push(record) }] })]
    await say([add, through('add', { a: 1, b: 1 })], { modules })
    const completed = told.filter((one) => one.kind === 'completed')
    expect(completed.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual(['add ok', 'through ok'])
    expect(new Set(completed.map(({ id }) => id)).size).toBe(2)
  })

  it('fails with the fault of what it called, unless it catches it', async () => {
    const client = await createTestClient(
      define([{ name: 'through', run: (_args, call) => call.invoke('nothing') }]),
    )
    await expect(client.callTool('through')).rejects.toThrow('Unknown tool: nothing')
  })

  it('has what it called give its result as its own', async () => {
    const client = await createTestClient(
      define([add, { name: 'through', run: (_args, call) => call.invoke('add', { a: 1, b: 2 }) }]),
    )
    expect(await client.callTool('through')).toMatchObject({ structuredContent: { sum: 3 } })
  })

  it('waits for one that could be a task', async () => {
    const long = defineTool({ name: 'long', task: 'required', run: async () => 'done' })
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
    for (const revision of ['2025-11-25', '2026-07-28'])
      expect(await say([long, through('long')], {}, { revision, capabilities })).toContain('"done"')
  })

  it('goes so deep and no deeper', async () => {
    let begun = 0
    const loop: ToolDefinition = {
      name: 'through',
      run: async (_args, call) => {
        begun++
        return call.invoke('through')
      },
    }
    expect(await say([loop], { budgets: { maxInvokeDepth: 3 } })).toBe(
      'through was not called: tools that call tools: at most 3, got 4 (--max-invoke-depth)',
    )
    expect(begun).toBe(4)
  })

  it('makes so many calls in all for one of a client, and no more', async () => {
    let begun = 0
    const fan: ToolDefinition = {
      name: 'through',
      run: async (_args, call) => {
        begun++
        await Promise.all(Array.from({ length: 3 }, () => call.invoke('through')))
        return 'done'
      },
    }
    expect(await say([fan], { budgets: { maxInvokes: 5 } })).toBe(
      'through was not called: tools that call tools: at most 5, got 6 (--max-invokes)',
    )
    expect(begun).toBeLessThanOrEqual(6)
  })
})

it('tells the progress and the notices of what was called as those of the call', async () => {
  const steps = defineTool({
    name: 'steps',
    run: (_args, call) => {
      call.progress(1, 3, 'one')
      call.progress(2, 3)
      call.log('warning', 'careful')
      return 'done'
    },
  })
  const outer = defineTool({
    name: 'through',
    run: async (_args, call) => {
      await call.invoke('steps')
      call.progress(1, 3, 'a step back')
      call.progress(3, 3)
      return 'done'
    },
  })
  for (const revision of ['2025-11-25', '2026-07-28']) {
    const client = await createTestClient(define([steps, outer]), { revision })
    const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' }
    await client.request('tools/call', { name: 'through' }, { meta })
    const told = client.notices.map(({ method, params }) => [
      method,
      params?.['progress'] ?? params?.['data'],
    ])
    expect(told).toEqual([
      ['notifications/progress', 1],
      ['notifications/progress', 2],
      ['notifications/message', 'careful'],
      ['notifications/progress', 3],
    ])
  }
})

function later() {
  let resolve: (value: string) => void = () => {}
  const promise = new Promise<string>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

it('aborts what was called when the client cancels the call', async () => {
  const [aborted, began, ended] = [later(), later(), later()]
  const never = defineTool({
    name: 'never',
    run: (_args, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve('aborted'))
      began.resolve('began')
      return new Promise(() => {})
    },
  })
  const outer = defineTool({
    name: 'through',
    run: (_args, call) =>
      call.invoke('never').catch((error: Error) => {
        ended.resolve(error.message)
        throw error
      }),
  })
  const client = await createTestClient(define([never, outer]), { revision: '2025-11-25' })
  const controller = new AbortController()
  const called = client.callTool('through', {}, { signal: controller.signal }).catch(() => 'cancelled')
  await began.promise
  controller.abort()
  expect(await called).toBe('cancelled')
  expect(await aborted.promise).toBe('aborted')
  expect(await ended.promise).toBe('tools/call was cancelled')
})

it('keeps nothing of what was called and has ended but that one of the two listens for the end of the other', async () => {
  const outer = defineTool({
    name: 'through',
    run: async (_args, call) => {
      for (let times = 0; times < 12; times++) await call.invoke('add', { a: 1, b: 1 })
      await call.invoke('nothing').catch(() => {})
      return `${getEventListeners(call.signal, 'abort').length} listen`
    },
  })
  expect(await say([add, outer])).toBe('1 listen')
})

it('refuses to call when the call is over', async () => {
  let afterwards: () => Promise<unknown> = async () => {}
  const outer = defineTool({
    name: 'through',
    run: (_args, call) => {
      afterwards = () => call.invoke('add', { a: 1, b: 1 })
      return 'done'
    },
  })
  const client = await createTestClient(define([add, outer]))
  await client.callTool('through')
  await expect(afterwards()).rejects.toThrow('add was not called: tools/call is over')
})

it.each(['2025-11-25', '2026-07-28'])(
  'says that what was called cannot ask its client (%s)',
  async (revision) => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } } as const
    const asking = defineTool({
      name: 'asking',
      run: (_args, call) => {
        const asked = call.ask({ who: elicit({ message: 'Who?', schema }) })
        return asked instanceof Needs ? asked : 'asked'
      },
    })
    const answers = { 'elicitation/create': () => ({ action: 'accept', content: { name: 'ann' } }) }
    const result = JSON.parse(await say([asking, through('asking')], {}, { revision, answers }))
    expect(result).toMatchObject({
      isError: true,
      content: [
        {
          text: 'It asks its client something, which a tool that another one calls cannot do: let the client call it',
        },
      ],
    })
  },
)

it('lets a module that is mounted call its own tools by the names it knows, and those of others by theirs', async () => {
  const seen: string[] = []
  const module = defineModule({
    name: 'm',
    tools: [
      { name: 'inner', run: () => 'inner' },
      {
        name: 'outer',
        run: async (_args, call) => {
          const results = [
            await call.invoke('inner'),
            await call.invoke('other'),
            await call.invoke('m_inner'),
          ]
          return results.map(({ content = [] }) => (content[0] as { text: string }).text).join(' ')
        },
      },
    ],
    prompts: [
      { name: 'ask', render: async (_args, call) => JSON.stringify((await call.invoke('inner')).content) },
    ],
    middleware: [
      (call, next) => {
        seen.push(`${call.method} ${call.params?.['name']}`)
        return next(call)
      },
    ],
  })
  const server = define([{ name: 'other', run: () => 'other' }], { modules: [mount('m', module)] })
  const client = await createTestClient(server)
  expect((await client.callTool('m_outer')).content).toEqual([{ type: 'text', text: 'inner other inner' }])
  expect(seen).toEqual(['tools/call m_outer', 'tools/call m_inner', 'tools/call m_inner'])
  expect(JSON.stringify(await client.request('prompts/get', { name: 'm_ask' }))).toContain('inner')
})

it('lets a middleware call a tool on behalf of whatever is asked', async () => {
  const seen: unknown[] = []
  const looking: Middleware = async (call, next) => {
    if (call.method === 'tools/list') seen.push((await call.invoke('other')).content)
    return next(call)
  }
  const client = await createTestClient(
    define([{ name: 'other', run: () => 'other' }], {
      middleware: [looking],
      templates: [{ uriTemplate: 'x:{id}', name: 'x', read: () => '' }],
    }),
  )
  await client.request('tools/list')
  expect(seen).toEqual([[{ type: 'text', text: 'other' }]])
})

it('has all that was called hear of the end, also where one of them throws then', async () => {
  const [slips, waits, heard] = [later(), later(), later()]
  const one = defineTool({
    name: 'slips',
    run: (_args, call) => {
      call.whenCancelled(() => {
        throw new Error('slipped')
      })
      slips.resolve('begun')
      return new Promise<string>(() => {})
    },
  })
  const other = defineTool({
    name: 'waits',
    run: (_args, call) => {
      call.whenCancelled(() => heard.resolve('heard'))
      waits.resolve('begun')
      return new Promise<string>(() => {})
    },
  })
  const outer = defineTool({
    name: 'through',
    run: async (_args, call) => {
      await Promise.all([call.invoke('slips'), call.invoke('waits')])
      return 'never'
    },
  })
  const crashed: unknown[] = []
  const observe = (event: { kind: string; error?: unknown }) => {
    if (event.kind === 'crashed') crashed.push(event.error)
  }
  const server = defineServer({ name: 's', version: '1', tools: [one, other, outer], observe })
  const client = await createTestClient(server)
  const controller = new AbortController()
  const called = client.callTool('through', {}, { signal: controller.signal }).catch(() => 'cancelled')
  await Promise.all([slips.promise, waits.promise])
  controller.abort()
  expect([await called, await heard.promise]).toEqual(['cancelled', 'heard'])
  expect(String(crashed[0])).toBe('Error: slipped')
})
