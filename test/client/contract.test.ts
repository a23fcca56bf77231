import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../scripts/compile.mjs'
import { type Client, type ConnectOptions, connect, type Notification } from '../../src/client/index.ts'
import { createFetchHandler, type HttpServer, serveHttp } from '../../src/index.ts'
import { REVISIONS } from '../../src/kernel/index.ts'
import { createSample } from './client-sample.ts'

let script = ''
let http: HttpServer
const handler = createFetchHandler(createSample(), { allowAnonymous: true })

beforeAll(async () => {
  script = await compile(join(import.meta.dirname, 'serve-client-sample.ts'))
  http = await serveHttp(createSample(), { retryMs: 20 })
})

afterAll(async () => {
  await http.close(0)
  await handler.close(0)
  rmSync(dirname(script), { recursive: true })
})

/** The ways to a server, and the revision that is found there when none is asked for. */
const WAYS = [
  { way: 'memory', open: (options: ConnectOptions) => connect(createSample(), options) },
  {
    way: 'stdio',
    open: (options: ConnectOptions) => connect({ command: process.execPath, args: [script] }, options),
  },
  { way: 'HTTP', open: (options: ConnectOptions) => connect(http.url, options) },
  {
    way: 'a fetch handler',
    open: (options: ConnectOptions) =>
      connect('http://127.0.0.1/mcp', {
        ...options,
        fetch: (input, init) => handler(new Request(input as URL, init)),
      }),
  },
  {
    way: 'the SSE pair',
    open: (options: ConnectOptions) => connect(new URL('/sse', http.url), options),
    found: '2025-11-25',
  },
]

const HANDSHAKES = REVISIONS.filter(({ opening }) => opening === 'handshake').map(({ id }) => id)

const CASES = WAYS.flatMap(({ way, open, found = '2026-07-28' }) => {
  const older = HANDSHAKES.filter((revision) => revision !== found)
  return [undefined, ...older].map((revision) => ({
    name: `${way}, ${revision ?? 'whatever it finds'}`,
    revision,
    spoken: revision ?? found,
    open,
  }))
})

const answers: ConnectOptions['answers'] = {
  'elicitation/create': () => ({ action: 'accept', content: { name: 'Ada' } }),
  'sampling/createMessage': () => ({
    role: 'assistant',
    content: { type: 'text', text: 'Knock, knock.' },
    model: 'small',
  }),
  'roots/list': () => ({ roots: [{ uri: 'file:///project' }] }),
}

describe.each(CASES)('a client over $name', ({ revision, spoken, open }) => {
  let client: Client
  const heard: Notification[] = []
  const errors: Error[] = []

  beforeAll(async () => {
    client = await open({
      ...(revision !== undefined && { revision }),
      answers,
      logLevel: 'info',
      onNotification: (one) => heard.push(one),
      onError: (error) => errors.push(error),
    })
  })

  afterAll(async () => {
    await client.close()
    expect(errors).toEqual([])
  })

  const has = REVISIONS.find(({ id }) => id === spoken)

  it('agrees on a revision, and knows whom it speaks to', () => {
    expect(client.revision.id).toBe(spoken)
    expect(client.server).toMatchObject({ name: 'sample', version: '1.0.0' })
    expect(client.instructions).toBe('Ask it anything.')
    expect(client.capabilities).toHaveProperty('tools')
  })

  it('lists all pages', async () => {
    const tools = await client.tools()
    expect(tools.length).toBeGreaterThan(8)
    expect(tools.map(({ name }) => name)).toContain('routed')
    expect(tools[0]).toMatchObject({ name: 'greet', inputSchema: { type: 'object' } })
    expect((await client.resources()).map(({ uri }) => uri)).toEqual(['memo://text', 'memo://tür'])
    expect((await client.templates()).map(({ uriTemplate }) => uriTemplate)).toEqual(['note://{name}'])
    expect((await client.prompts()).map(({ name }) => name)).toEqual(['poem'])
  })

  it('calls tools', async () => {
    const { content, isError } = await client.callTool('greet', { name: 'Ada' })
    expect(content).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
    expect(isError).not.toBe(true)
    const { structuredContent } = await client.callTool('sum')
    expect(structuredContent).toEqual(has?.structured === 'none' ? undefined : { sum: 42 })
  })

  it('hears what is wrong as the server says it', async () => {
    await expect(client.callTool('no_such_tool')).rejects.toMatchObject({ name: 'ErrorReply', code: -32602 })
    const code = has?.opening === 'handshake' ? -32002 : -32602
    await expect(client.read('memo://none')).rejects.toMatchObject({ name: 'ErrorReply', code })
    await expect(client.request('no/such')).rejects.toMatchObject({ name: 'ErrorReply', code: -32601 })
  })

  it('reads, also what has a name no header could hold', async () => {
    expect((await client.read('memo://text')).contents).toMatchObject([
      { uri: 'memo://text', text: 'a memo' },
    ])
    expect((await client.read('memo://tür')).contents).toMatchObject([{ text: 'open' }])
    expect((await client.read('note://monday')).contents).toMatchObject([{ text: 'note of monday' }])
  })

  it('gets and completes prompts', async () => {
    expect((await client.prompt('poem', { about: 'spring' })).messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: 'Write a poem about spring' } },
    ])
    const ref = { type: 'ref/prompt', name: 'poem' } as const
    const { values } = await client.complete(ref, { name: 'about', value: 's' })
    expect(values).toEqual(['spring', 'summer', 'sea'])
  })

  it('hears of progress, and of what the server logs', async () => {
    const steps: number[] = []
    await client.callTool('steps', {}, { onProgress: ({ progress }) => steps.push(progress) })
    expect(steps).toEqual([1, 2, 3])
    await until(() => heard.some(({ method }) => method === 'notifications/message'))
    expect(heard.find(({ method }) => method === 'notifications/message')?.params).toMatchObject({
      level: 'info',
      data: 'walked',
    })
  })

  it('gives a call up, and the server is told', async () => {
    const before = await count(client)
    const stop = new AbortController()
    const call = client.callTool('wait', {}, { signal: stop.signal, onProgress: () => stop.abort() })
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    await until(async () => (await count(client)) === before + 1)
  })

  it('gives a call up that takes too long', async () => {
    const before = await count(client)
    const call = client.callTool('wait', {}, { timeoutMs: 100 })
    await expect(call).rejects.toMatchObject({ name: 'ClientError', reason: 'timed-out' })
    await until(async () => (await count(client)) === before + 1)
  })

  it('answers what the server asks', async () => {
    expect(await textOf(client, 'joke')).toBe('Knock, knock.')
    if (has?.questions.includes('elicitation/create'))
      expect(await textOf(client, 'interview')).toBe('Ada in file:///project')
  })

  it('repeats arguments in headers where a tool asks for it', async () => {
    expect(await textOf(client, 'routed', { region: 'Zürich' })).toBe('in Zürich')
  })

  it('hears of changes, until it has heard enough', async () => {
    let touched = 0
    const memo = await client.subscribe('memo://text', () => touched++)
    await client.callTool('touch')
    await until(() => touched === 1)
    let grown = 0
    const lists = await client.listen({ tools: true }, ({ kind }) => void (kind === 'tools' && grown++))
    await client.callTool('grow').catch(() => {}) // Another revision has grown it already.
    await memo.close()
    await client.callTool('touch')
    await lists.close()
    expect(await lists.closed).toBeUndefined()
    expect(touched).toBe(1)
    expect(grown).toBeLessThanOrEqual(1)
  })

  it('runs tasks where the revision has them', async () => {
    if (has?.tasks === 'none') {
      await expect(client.tasks.start('long')).rejects.toMatchObject({ reason: 'unsupported' })
      return
    }
    const task = await client.tasks.start('long')
    expect((await task.result()).content).toEqual([{ type: 'text', text: 'at last' }])
    const asking = await client.tasks.start('asking_task')
    expect(asking.taskId).toBeTypeOf('string')
    expect((await asking.result()).content).toEqual([{ type: 'text', text: 'task of Ada' }])
    const taskId = String(asking.taskId)
    expect(await client.tasks.get(taskId)).toMatchObject({ status: 'completed' })
    if (has?.tasks !== 'extension') return
    const told: string[] = []
    const listening = await client.listen({ tasks: [taskId] }, (change) => {
      if (change.kind === 'task') told.push(change.task.status)
    })
    await until(() => told.length > 0)
    expect(told).toEqual(['completed'])
    await listening.close()
  })

  it('leaves nothing waiting when it closes', async () => {
    const other = await open(revision === undefined ? {} : { revision })
    const call = other.callTool('wait')
    const rejected = expect(call).rejects.toMatchObject({ name: 'ClientError', reason: 'closed' })
    await other.close()
    await rejected
    await expect(other.tools()).rejects.toMatchObject({ reason: 'closed' })
  })
})

async function textOf(client: Client, tool: string, args = {}): Promise<unknown> {
  const [block] = (await client.callTool(tool, args)).content
  return block?.type === 'text' ? block.text : block
}

async function count(client: Client): Promise<number> {
  return Number(await textOf(client, 'cancelled'))
}

/** Only a test that fails waits for ever, until the runner ends it. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5))
}
