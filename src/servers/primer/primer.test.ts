import { describe, expect, it } from 'vitest'
import { openAs } from '../../../test/setup/caller.ts'
import { introduction, talk } from '../../../test/setup/talk.ts'
import { defineResource } from '../../authoring/define.ts'
import type { JsonObject, Server } from '../../kernel/index.ts'
import { primer } from './index.ts'

const create = () =>
  primer.create({
    settings: {},
    lists: {},
    modules: [],
    budgets: {},
    unscoped: 'open',
    shown: {},
    nodes: {},
    sources: {},
  }) as Server // It waits for nothing.

describe('a prompt that can be subscribed to', () => {
  it('is told of when its list changes, until the client has heard enough', async () => {
    const server = create()
    const to = talk(server, '2025-11-25')
    const told = () =>
      to.heard.filter(({ id }) => id === undefined).map(({ method, params }) => [method, params])
    const changed = ['notifications/prompts/list_changed', undefined]
    const updated = ['notifications/prompts/updated', { name: 'git-commit' }]
    expect(await to.ask('prompts/subscribe', { name: 'commit' })).toMatchObject({ result: {} })
    server.prompts.add({ name: 'other', render: () => 'x' })
    await new Promise(setImmediate)
    expect(told()).toEqual([changed, updated])
    await to.ask('prompts/unsubscribe', { name: 'git-commit' })
    server.prompts.remove('other')
    await new Promise(setImmediate)
    expect(told()).toEqual([changed, updated, changed])
  })

  it('is there for handshake clients alone', async () => {
    const server = create()
    expect(await talk(server, '2025-11-25').ask('prompts/subscribe', { name: 'none' })).toMatchObject({
      error: { code: -32602, data: { requestedPrompt: 'none' } },
    })
    const newest = { name: 'git-commit', _meta: introduction() }
    expect(await talk(server).ask('prompts/subscribe', newest)).toMatchObject({ error: { code: -32601 } })
  })

  it('is forgotten with the client that subscribed', async () => {
    const server = create()
    const before = server.listeners.size
    const to = talk(server, '2025-11-25')
    await to.ask('prompts/subscribe', { name: 'git-commit' })
    expect(server.listeners.size).toBe(before + 2)
    to.close()
    expect(server.listeners.size).toBe(before)
  })
})

describe('a list', () => {
  it.each(['2024-11-05', '2025-11-25'])('can be narrowed by what %s does not tell', async (revision) => {
    const to = talk(create(), revision)
    const names = async (filter: JsonObject) => {
      const { prompts } = (await to.ask('prompts/list', filter)).result as { prompts: { name: string }[] }
      return prompts.map(({ name }) => name)
    }
    expect(await names({ category: 'git' })).toEqual(['git-commit'])
    expect(await names({ category: 'letters' })).toEqual([])
    expect(await names({ namePattern: '*-commit' })).toEqual(['git-commit'])
    expect(await names({ namePattern: 'commit*' })).toEqual([])
  })

  it.each(['2024-11-05', '2025-11-25'])('says in %s when a resource last changed, once', async (revision) => {
    const server = create()
    server.resources.add(
      defineResource({
        uri: 'file:///dated',
        name: 'dated',
        annotations: { priority: 0.5 },
        modified: () => new Date(0),
        read: () => '',
      }),
    )
    const { result } = await talk(server, revision).ask('resources/list', { uriPattern: '*dated' })
    expect(result).toEqual({
      resources: [
        {
          uri: 'file:///dated',
          name: 'dated',
          annotations: { priority: 0.5 },
          lastModified: '1970-01-01T00:00:00.000Z',
        },
      ],
    })
  })
})

it('shows a prompt unfilled to those alone who may see it', async () => {
  const get = (scopes: readonly string[]) =>
    openAs(create(), { id: 'ann', scopes }).ask('prompts/get', { name: 'commit' })
  expect(await get(['math'])).toMatchObject({ error: { code: 403 } })
  expect(await get(['git'])).toMatchObject({ result: {} })
})
