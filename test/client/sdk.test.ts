import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type ConnectOptions, connect } from '../../src/client/index.ts'
import { serveSdk } from './sdk-http.mjs'

let http: Awaited<ReturnType<typeof serveSdk>>

beforeAll(async () => {
  http = await serveSdk()
})

afterAll(() => http.close())

const STDIO = { command: process.execPath, args: [join(import.meta.dirname, 'sdk-stdio.mjs')] }

const WAYS = [
  { way: 'stdio', asks: true, open: (options: ConnectOptions) => connect(STDIO, options) },
  {
    way: 'sessions',
    asks: true,
    open: (options: ConnectOptions) => connect(`${http.origin}/sessions`, options),
  },
  {
    way: 'no sessions',
    asks: false,
    open: (options: ConnectOptions) => connect(`${http.origin}/stateless`, options),
  },
  {
    way: 'the SSE pair',
    asks: true,
    open: (options: ConnectOptions) => connect(`${http.origin}/sse`, options),
  },
]

describe.each(WAYS)("with the official SDK's server over $way, a client", ({ way, asks, open }) => {
  let client: Client
  const errors: Error[] = []

  beforeAll(async () => {
    client = await open({
      answers: {
        'elicitation/create': () => ({ action: 'accept', content: { name: 'Ada' } }),
        'roots/list': () => ({ roots: [{ uri: 'file:///project' }] }),
      },
      onError: (error) => errors.push(error),
    })
  })

  afterAll(async () => {
    await client.close()
    expect(errors).toEqual([])
  })

  it('finds out what it speaks', () => {
    expect(client.revision.id).toBe('2025-11-25')
    expect(client.server).toMatchObject({ name: 'sdk' })
    expect(client.instructions).toBe('Ask it anything.')
  })

  it('lists, calls, reads and gets', async () => {
    expect((await client.tools()).map(({ name }) => name)).toContain('greet')
    expect((await client.callTool('greet', { name: 'Ada' })).content).toEqual([
      { type: 'text', text: 'Hello, Ada!' },
    ])
    expect((await client.callTool('sum')).structuredContent).toEqual({ sum: 42 })
    expect((await client.resources()).map(({ uri }) => uri)).toEqual(['memo://text'])
    expect((await client.templates()).map(({ name }) => name)).toEqual(['note'])
    expect((await client.read('note://monday')).contents).toMatchObject([{ text: 'note of monday' }])
    expect((await client.prompt('poem', { about: 'spring' })).messages).toMatchObject([
      { content: { text: 'Write a poem about spring' } },
    ])
  })

  it('hears of progress', async () => {
    const steps: number[] = []
    await client.callTool('steps', {}, { onProgress: ({ progress }) => steps.push(progress) })
    expect(steps).toEqual([1, 2, 3])
  })

  // Without a session the SDK has no way to ask.
  it.each(asks ? [way] : [])('answers what it is asked over %s', async () => {
    expect((await client.callTool('interview')).content).toEqual([
      { type: 'text', text: 'Ada in file:///project' },
    ])
  })

  it('gives a call up', async () => {
    const stop = new AbortController()
    const call = client.callTool('wait', {}, { signal: stop.signal, onProgress: () => stop.abort() })
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    if (way === 'no sessions') return // Each call has a server of its own there.
    while (
      (await client.callTool('cancelled')).content.some((one) => one.type === 'text' && one.text === '0')
    );
  })

  // Without a session the SDK tells of no changes.
  it.each(way === 'no sessions' ? [] : [way])('hears over %s that the tools have changed', async () => {
    let changed = 0
    const listening = await client.listen({ tools: true }, () => changed++)
    await client.callTool('grow')
    while (changed === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await listening.close()
    expect((await client.tools()).map(({ name }) => name)).toContain('grown')
  })
})

describe("with the official SDK's server over HTTP, a client", () => {
  it('comes back to a stream that was closed under it', async () => {
    await using client = await connect(`${http.origin}/sessions`)
    expect((await client.callTool('hang_up')).content).toEqual([{ type: 'text', text: 'still here' }])
  })

  it('opens a session again that was forgotten', async () => {
    await using client = await connect(`${http.origin}/sessions`)
    http.forget()
    expect((await client.callTool('greet', { name: 'Ada' })).content).toEqual([
      { type: 'text', text: 'Hello, Ada!' },
    ])
  })
})
