import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Command, ccmcp, type Host, type Person, type Progress, SAMPLE } from './sdk-host.ts'
import { openV1 } from './v1.ts'
import { openV2 } from './v2.ts'

const CLIENTS = [
  { name: 'the v1 client', revision: '2025-11-25', open: openV1 },
  {
    name: 'the v2 client in its legacy mode',
    revision: '2025-11-25',
    open: (command: Command, person: Person) => openV2(command, person, 'legacy'),
  },
  {
    name: 'the v2 client that finds out',
    revision: '2026-07-28',
    open: (command: Command, person: Person) => openV2(command, person, 'auto'),
  },
  {
    name: 'the v2 client that insists on the newest',
    revision: '2026-07-28',
    open: (command: Command, person: Person) => openV2(command, person, { pin: '2026-07-28' }),
  },
]

describe.each(CLIENTS)('$name', ({ open, revision }) => {
  let host: Host
  let person: ReturnType<Person>
  let asked: string

  beforeAll(async () => {
    host = await open(SAMPLE, ({ params }) => {
      asked = params.message
      return person
    })
  })

  afterAll(async () => {
    await host.close()
    await gone(host.pid)
  })

  it('agrees on the newest revision it speaks', () => {
    expect(host.revision).toBe(revision)
    expect(host.server).toMatchObject({ name: 'sample', version: '1.0.0' })
    expect(host.instructions).toBe('Ask it anything.')
  })

  it('lists what the server offers', async () => {
    const { tools } = await host.listTools()
    expect(tools.map(({ name }) => name)).toContain('greet')
    expect((await host.listResources()).resources.map(({ uri }) => uri)).toEqual(['memo://text'])
    const { resourceTemplates } = await host.listTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['note://{name}'])
    expect((await host.listPrompts()).prompts.map(({ name }) => name)).toEqual(['poem'])
  })

  it('calls a tool that gives text', async () => {
    expect(await host.callTool('greet', { name: 'Ada' })).toMatchObject({
      content: [{ type: 'text', text: 'Hello, Ada!' }],
      isError: false,
    })
  })

  it('calls a tool whose output has a schema, and checks it', async () => {
    await host.listTools()
    const structuredContent = { town: 'Bern', degrees: 21.5 }
    expect(await host.callTool('weather', { town: 'Bern' })).toMatchObject({
      structuredContent,
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    })
  })

  it('hears what is wrong with its arguments', async () => {
    expect(await host.callTool('greet', { name: 5 })).toMatchObject({ isError: true })
    await expect(host.callTool('no_such_tool')).rejects.toMatchObject({ code: -32602 })
  })

  it('reads a resource, also one behind a template', async () => {
    expect(await host.readResource('memo://text')).toMatchObject({
      contents: [{ uri: 'memo://text', mimeType: 'text/plain', text: 'a memo' }],
    })
    expect(await host.readResource('note://monday')).toMatchObject({ contents: [{ text: 'note of monday' }] })
  })

  it('gets a prompt', async () => {
    expect(await host.getPrompt('poem', { about: 'spring' })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Write a poem about spring' } }],
    })
  })

  it('completes the arguments of prompts and templates', async () => {
    const ofPrompt = await host.complete({ type: 'ref/prompt', name: 'poem' }, { name: 'about', value: 's' })
    expect(ofPrompt).toMatchObject({ completion: { values: ['spring', 'summer', 'sea'], total: 3 } })
    const ofTemplate = await host.complete(
      { type: 'ref/resource', uri: 'note://{name}' },
      { name: 'name', value: 'tu' },
    )
    expect(ofTemplate).toMatchObject({ completion: { values: ['tuesday'] } })
  })

  it('hears of progress, and of what the server logs', async () => {
    const steps: Progress[] = []
    const onprogress = (step: Progress) => {
      if (steps.push(step) === 3) void host.callTool('release_work')
    }
    expect(await host.callTool('work', {}, { onprogress })).toMatchObject({ content: [{ text: 'done' }] })
    expect(steps).toMatchObject([1, 2, 3].map((progress) => ({ progress, total: 3 })))
    expect(steps.at(-1)).toMatchObject({ message: 'step 3' })
    const { params } = await host.hears('notifications/message')
    expect(params).toMatchObject({ level: 'info', data: 'worked', logger: 'sample' })
  })

  it('cancels a call, and the tool is told', async () => {
    const before = await cancelledCalls(host)
    const controller = new AbortController()
    const { signal } = controller
    await expect(
      host.callTool('wait', {}, { signal, onprogress: () => controller.abort('enough') }),
    ).rejects.toThrow()
    let after = before
    while (after === before) after = await cancelledCalls(host)
    expect(after).toBe(before + 1)
  })

  it('answers what the server asks: a form, its folders, its model', async () => {
    person = { action: 'accept', content: { name: 'Ada', age: 36 } }
    expect(await host.callTool('interview')).toMatchObject({
      content: [{ text: 'Ada | file:///project | Knock, knock.' }],
      isError: false,
    })
  })

  it('is asked to open a page', async () => {
    person = { action: 'accept' }
    expect(await host.callTool('sign_in')).toMatchObject({ content: [{ text: 'page: accept' }] })
    expect(asked).toBe('Please sign in')
  })

  it('may decline to answer', async () => {
    person = { action: 'decline' }
    expect(await host.callTool('interview')).toMatchObject({ content: [{ text: 'no name: decline' }] })
  })

  it('subscribes, and hears of changes', async () => {
    const subscription = await host.subscribe('memo://text')
    await host.callTool('touch')
    const { params } = await host.hears('notifications/resources/updated')
    expect(params).toMatchObject({ uri: 'memo://text' })
    await host.callTool('grow')
    await host.hears('notifications/tools/list_changed')
    expect((await host.listTools()).tools.map(({ name }) => name)).toContain('grown')
    await subscription.end()
    expect(await host.callTool('grown')).toMatchObject({ content: [{ text: 'new here' }] })
  })
})

describe('the v2 client that listens', () => {
  it('is told when the server ends its subscriptions', async () => {
    const host = await openV2(SAMPLE, () => ({ action: 'cancel' }), { pin: '2026-07-28' })
    try {
      const subscription = await host.subscribe('memo://text')
      await host.callTool('end_subscriptions')
      expect(await subscription.closed).toBe('graceful')
    } finally {
      await host.close()
      await gone(host.pid)
    }
  })
})

describe.each(CLIENTS)('$name with ccmcp', ({ open, revision }) => {
  const root = mkdtempSync(join(tmpdir(), 'perigee-clients-'))
  let host: Host

  beforeAll(async () => {
    host = await open(ccmcp(root), () => ({ action: 'cancel' }))
  })

  afterAll(async () => {
    await host.close()
    await gone(host.pid)
    rmSync(root, { recursive: true })
  })

  it('connects, lists and calls', async () => {
    expect(host.revision).toBe(revision)
    expect((await host.listTools()).tools.map(({ name }) => name)).toContain('hello')
    expect(await host.callTool('hello', { name: 'Ada' })).toMatchObject({
      content: [{ text: 'Hello, Ada!' }],
    })
    const written = await host.callTool('write_file', { path: 'note.txt', content: 'kept' })
    expect(written).toMatchObject({ isError: false })
    expect(await host.callTool('read_file', { path: 'note.txt' })).toMatchObject({
      content: [{ text: 'kept' }],
    })
    expect(await host.getPrompt('greet', { name: 'Ada' })).toMatchObject({
      messages: [{ content: { text: 'Please greet Ada warmly' } }],
    })
    expect(await host.readResource('config://server')).toMatchObject({
      contents: [{ uri: 'config://server' }],
    })
  })
})

async function cancelledCalls(host: Host): Promise<number> {
  const { content } = (await host.callTool('count_cancelled')) as { content: readonly { text: string }[] }
  return Number(content[0]?.text)
}

/** Resolves when a process has ended. */
async function gone(pid: number | null): Promise<void> {
  expect(pid).toBeTypeOf('number')
  while (isRunning(pid ?? 0)) await new Promise((resolve) => setTimeout(resolve, 10))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
