import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { keepOffers, type ServerDefinition } from '../../src/index.ts'
import { ownerOf, type Server } from '../../src/kernel/index.ts'
import { templates } from '../../src/modules/templates/index.ts'
import { ccmcp } from '../../src/servers/ccmcp.ts'
import { openSqliteStore } from '../../src/stores/sqlite.ts'
import { type Caller, openAs } from '../setup/caller.ts'

const PATIENCE = { timeout: 20_000, interval: 10 }

/** Nodes of a server that share one file. */
function openNodes() {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const openStore = () => {
    const store = openSqliteStore({ path: join(folder, 'shared.db'), pollMs: 10 })
    onTestFinished(() => store.close())
    return store
  }
  const serve = async (server: Server | Promise<Server>) => {
    const made = await server
    await made.start()
    onTestFinished(() => made.close())
    return made
  }
  return {
    folder,
    openStore,
    serve,
    /** A server with the templates module, and whatever more. */
    start: (more: Partial<ServerDefinition> = {}, ttlMs?: number) =>
      serve(
        defineServer({
          name: 's',
          version: '1',
          store: openStore(),
          modules: [templates(ttlMs === undefined ? {} : { ttlMs })],
          ...more,
        }),
      ),
  }
}

const make = (caller: Caller, name: string, template = `${name} {x}`) =>
  caller.say('register_tool', { name, description: 'd', template })
const tools = (caller: Caller) => caller.list('tools/list', 'tools')

describe('a tool that a caller has made', () => {
  it('on one node of ccmcp is listed, called and removed on the other', async () => {
    const nodes = openNodes()
    const create = () =>
      nodes.serve(
        ccmcp.create({
          settings: { root: nodes.folder },
          lists: {},
          modules: [],
          budgets: {},
          unscoped: 'open',
          shown: {},
          nodes: { store: nodes.openStore(), secrets: ['a secret'] },
          sources: {},
        }),
      )
    const [a, b] = [openAs(await create()), openAs(await create())]
    expect(await make(a, 'greet')).toBe('Registered tool: greet')
    expect(await b.say('greet', { x: 'there' })).toBe('greet there')
    expect(await tools(b)).toContain('greet')
    expect(await b.say('unregister_tool', { name: 'greet' })).toBe('Unregistered tool: greet')
    await expect.poll(() => tools(a), PATIENCE).not.toContain('greet')
    expect(await a.say('greet', { x: 'there' })).toBe('error: Unknown tool: greet')
  })

  it('is told of on every node, once', async () => {
    const nodes = openNodes()
    const [a, b] = [openAs(await nodes.start()), openAs(await nodes.start())]
    await tools(a)
    await tools(b)
    await make(a, 'mine')
    await expect.poll(() => tools(b), PATIENCE).toContain('mine')
    await expect.poll(() => b.heard('notifications/tools/list_changed'), PATIENCE).toBeGreaterThan(0)
    expect(a.heard('notifications/tools/list_changed')).toBe(1)
  })

  it('belongs to that caller alone, on every node', async () => {
    const nodes = openNodes()
    const [a, b] = [await nodes.start(), await nodes.start()]
    await make(openAs(a, { id: 'ann' }), 'mine', 'of ann')
    await make(openAs(b, { id: 'bob' }), 'mine', 'of bob')
    expect(await openAs(b, { id: 'ann' }).say('mine')).toBe('of ann')
    expect(await openAs(a, { id: 'bob' }).say('mine')).toBe('of bob')
    expect(await openAs(a, { id: 'eve' }).say('mine')).toBe('error: Unknown tool: mine')
    expect(await openAs(a, { id: 'eve' }).say('unregister_tool', { name: 'mine' })).toBe(
      'error: There is no tool mine to unregister',
    )
  })

  it('is there after a restart', async () => {
    const nodes = openNodes()
    const first = await nodes.start()
    await make(openAs(first, { id: 'ann' }), 'mine', 'still here')
    await first.close()
    const ann = openAs(await nodes.start(), { id: 'ann' })
    expect(await tools(ann)).toContain('mine')
    expect(await ann.say('mine')).toBe('still here')
  })

  it('is gone on every node, and leaves its place, when nobody has used it for its time', async () => {
    const nodes = openNodes()
    const [a, b] = [await nodes.start({}, 400), await nodes.start({}, 400)]
    await make(openAs(a, { id: 'ann' }), 'mine')
    expect(a.usage.read('maxTemplates')).toBe(1)
    for (const server of [a, b]) {
      await expect.poll(() => tools(openAs(server, { id: 'ann' })), PATIENCE).not.toContain('mine')
      await expect.poll(() => server.usage.read('maxTemplates'), PATIENCE).toBe(0)
    }
  })

  it('takes its place on every node', async () => {
    const nodes = openNodes()
    const budgets = { maxTemplatesPerCaller: 2 }
    const [a, b] = [await nodes.start({ budgets }), await nodes.start({ budgets })]
    await make(openAs(a, { id: 'ann' }), 'one')
    await make(openAs(b, { id: 'ann' }), 'two')
    expect(await make(openAs(a, { id: 'ann' }), 'three')).toContain(
      'at most 2, got 3 (--max-templates-per-caller)',
    )
    expect(await make(openAs(b, { id: 'ann' }), 'one')).toContain(
      'at most 2, got 3 (--max-templates-per-caller)',
    )
  })

  it('stays as a server of another version has kept it', async () => {
    const nodes = openNodes()
    const store = nodes.openStore()
    const noted: string[] = []
    const observe: ServerDefinition['observe'] = (event) => {
      if (event.kind === 'noted') noted.push(event.message)
    }
    const ann = openAs(await nodes.start({ observe }), { id: 'ann' })
    await make(ann, 'mine')
    const newer = { v: 2, tools: 'in other words' }
    const [index, own] = ['kept/templates', 'kept/templates/ann']
    const foreign = 'was written by a server of another version'
    await store.put(own, newer)
    expect(await make(ann, 'other')).toContain(foreign)
    expect(await ann.say('unregister_tool', { name: 'mine' })).toContain(foreign)
    expect(await ann.say('none')).toBe('error: Unknown tool: none')
    expect(await make(openAs(await nodes.start(), { id: 'bob' }), 'his')).toBe('Registered tool: his')
    expect((await store.get(index))?.value).toEqual({ v: 1, values: ['ann', 'bob'] })
    await store.put(index, newer)
    expect(await make(openAs(await nodes.start(), { id: 'eve' }), 'hers')).toContain(foreign)
    expect([(await store.get(index))?.value, (await store.get(own))?.value]).toEqual([newer, newer])
    expect(await store.get('kept/templates/eve')).toBe(undefined)
    expect(noted.filter((one) => one.includes(foreign))).toHaveLength(1)
  })

  it('has a name that only one of two nodes can give away at the same time', async () => {
    const nodes = openNodes()
    const [a, b] = [await nodes.start(), await nodes.start()]
    const said = await Promise.all([a, b].map((server) => make(openAs(server, { id: 'ann' }), 'mine')))
    expect(said.filter((one) => one === 'Registered tool: mine')).toHaveLength(1)
    expect(said.filter((one) => one.includes('already'))).toHaveLength(1)
  })
})

it('keeps prompts and resources of an author in the same way', async () => {
  const nodes = openNodes()
  const create = () => {
    const prompts = keepOffers({
      name: 'greetings',
      list: 'prompts',
      define: ({ name, text }: { name: string; text: string }) => ({ name, render: () => text }),
    })
    const server = nodes.start({ modules: [{ name: 'greetings', ...prompts.module }] })
    return { prompts, server }
  }
  const [a, b] = [create(), create()]
  const [one, other] = [await a.server, await b.server]
  const owner = ownerOf(undefined)
  await openAs(one).list('prompts/list', 'prompts')
  await a.prompts.add(one, owner, { name: 'hello', text: 'Hello' })
  await expect.poll(() => openAs(other).list('prompts/list', 'prompts'), PATIENCE).toEqual(['hello'])
  expect(await b.prompts.remove(other, owner, 'hello')).toBe(true)
  await expect.poll(() => one.prompts.has('hello', owner), PATIENCE).toBe(false)
  expect(await b.prompts.remove(other, owner, 'hello')).toBe(false)
})
