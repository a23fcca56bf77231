import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { definePrompt, defineTool } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { type NamedUpstreams, upstreams } from '../../src/modules/upstream/index.ts'
import { changeBook, readBook } from '../../src/modules/upstream/pins/pin-file.ts'
import { siblingsOf } from '../../src/modules/upstream/siblings.ts'
import { clientOf, endAfterEach, ending, namesOf, noted, observe, textOf } from './gateway-of.ts'

endAfterEach()

function serverWith(name: string, ...tools: readonly string[]): Server {
  return defineServer({
    name,
    version: '1',
    tools: tools.map((tool) => defineTool({ name: tool, run: () => `${name}: ${tool}` })),
  })
}

/** A gateway whose upstreams can be others. */
function changing(first: () => NamedUpstreams) {
  let read = first
  let tell = () => {}
  const source = {
    read: () => read(),
    watch: (changed: () => void) => {
      tell = changed
      return () => {}
    },
  }
  const modules = [upstreams('upstreams', source)]
  const gateway = defineServer({ name: 'gateway', version: '1', modules, observe, reports: true })
  ending.push(() => gateway.close())
  return {
    gateway,
    change: (next: () => NamedUpstreams) => {
      read = next
      tell()
    },
  }
}

describe('a name that was another while there were more servers, or fewer', () => {
  const withPrompt = (name: string): Server =>
    defineServer({
      name,
      version: '1',
      tools: [defineTool({ name: 'go', run: () => name })],
      prompts: [
        definePrompt({
          name: 'hail',
          arguments: [{ name: 'a' }],
          complete: { a: () => [] },
          render: () => name,
        }),
      ],
    })
  const [one, two] = [{ server: withPrompt('one') }, { server: withPrompt('two') }]

  it('is answered by the one that it is now', async () => {
    const { gateway, change } = changing(() => ({ one }))
    const client = await clientOf(gateway)
    await expect(client.callTool('one_go')).rejects.toThrow('Unknown tool: one_go. It is called go here')
    change(() => ({ one, two }))
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['one_go', 'two_go']))
    await expect(client.callTool('go')).rejects.toThrow(
      'Unknown tool: go. It is called one_go or two_go here',
    )
    await expect(client.prompt('hail')).rejects.toThrow('It is called one_hail or two_hail here')
    change(() => ({ two }))
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['go']))
    await expect(client.callTool('two_go')).rejects.toThrow('Unknown tool: two_go. It is called go here')
    await expect(client.callTool('one_go')).rejects.toThrow(/^Unknown tool: one_go$/)
    await expect(client.prompt('two_hail')).rejects.toThrow(
      'Unknown prompt: two_hail. It is called hail here',
    )
    const ref = { type: 'ref/prompt', name: 'two_hail' }
    await expect(
      client.request('completion/complete', { ref, argument: { name: 'a', value: '' } }),
    ).rejects.toThrow('It is called hail here')
  })

  it('is the same with a name or a prefix that somebody has given it', async () => {
    const { gateway } = changing(() => ({
      one: { ...one, prefix: 'first-', rename: { go: 'walk' } },
      two,
    }))
    const client = await clientOf(gateway)
    for (const name of ['one_go', 'one_walk', 'walk'])
      await expect(client.callTool(name)).rejects.toThrow(
        `Unknown tool: ${name}. It is called first-walk here`,
      )
  })

  it('is told to nobody who may not see it', async () => {
    const { gateway } = changing(() => ({ one: { ...one, scopes: ['admin'] }, two }))
    const client = await clientOf(gateway, { principal: { id: 'ann', scopes: [] } })
    await expect(client.callTool('go')).rejects.toThrow(/called two_go here$/)
  })
})

const stateOf = (gateway: Server, name: string) =>
  [...siblingsOf(gateway)].find((one) => one.name === name)?.state

describe('the order of lists', () => {
  it('is that of the upstreams, and of what each lists, whenever that was read', async () => {
    const early = serverWith('early', 'a', 'b')
    const { gateway } = changing(() => ({
      early: { server: early },
      late: { server: serverWith('late', 'a') },
    }))
    const client = await clientOf(gateway)
    early.tools.add(defineTool({ name: 'c', run: () => 'c' }))
    await vi.waitFor(async () =>
      expect(await namesOf(client)).toEqual(['early_a', 'early_b', 'early_c', 'late_a']),
    )
    early.tools.remove('a')
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['early_b', 'early_c', 'late_a']))
  })

  it('is that of the configuration, whoever has come later', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => serverWith(name, 'go')) as [
      Server,
      Server,
      Server,
    ]
    const { gateway, change } = changing(() => ({ one: { server: one }, three: { server: three } }))
    const client = await clientOf(gateway)
    change(() => ({ one: { server: one }, two: { server: two }, three: { server: three } }))
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['one_go', 'two_go', 'three_go']))
    change(() => ({ three: { server: three }, two: { server: two }, one: { server: one } }))
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['three_go', 'two_go', 'one_go']))
  })

  it('holds where a list comes in pages', async () => {
    const early = serverWith('early', 'a', 'b', 'c')
    const source = { early: { server: early }, late: { server: serverWith('late', 'a', 'b', 'c') } }
    const modules = [upstreams('upstreams', { read: () => source })]
    const gateway = defineServer({
      name: 'gateway',
      version: '1',
      modules,
      observe,
      reports: true,
      pageSize: 2,
    })
    ending.push(() => gateway.close())
    const client = await clientOf(gateway)
    early.tools.remove('a')
    early.tools.add(defineTool({ name: 'd', run: () => 'd' }))
    await vi.waitFor(async () =>
      expect(await namesOf(client)).toEqual(['early_b', 'early_c', 'early_d', 'late_a', 'late_b', 'late_c']),
    )
  })
})

describe('upstreams that become others while they are served', () => {
  it('leave those alone that stay, and have the names that they would have at a start', async () => {
    const left = serverWith('left', 'go')
    const opened = vi.fn()
    const kept = defineServer({
      name: 'kept',
      version: '1',
      tools: [defineTool({ name: 'stay', run: () => 'stayed' })],
      observe: ({ kind }) => void (kind === 'link-opened' && opened()),
    })
    const { gateway, change } = changing(() => ({
      kept: { server: kept, revision: '2025-11-25' },
      left: { server: left },
    }))
    const client = await clientOf(gateway, { revision: '2025-11-25' })
    expect(await namesOf(client)).toEqual(['kept_stay', 'left_go'])
    await client.callTool('kept_stay')
    const before = opened.mock.calls.length
    expect(before).toBeGreaterThan(0)
    change(() => ({
      kept: { server: kept, revision: '2025-11-25' },
      right: { server: serverWith('right', 'go', 'on') },
    }))
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['kept_stay', 'right_go', 'right_on']))
    expect(client.notices.map(({ method }) => method)).toContain('notifications/tools/list_changed')
    expect(textOf(await client.callTool('kept_stay'))).toBe('stayed')
    expect(opened.mock.calls.length).toBe(before)
    await vi.waitFor(() => expect(noted.join()).toContain('taken over: right is new, left is gone'))
    change(() => ({ kept: { server: kept, revision: '2025-11-25' } }))
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['stay']))
    expect(opened.mock.calls.length).toBe(before)
  })

  it('stay as they were where the new ones cannot be read or are wrong', async () => {
    const server = serverWith('left', 'go')
    const { gateway, change } = changing(() => ({ left: { server } }))
    const client = await clientOf(gateway)
    change(() => {
      throw new Error('.mcp.json cannot be read: it ends too early')
    })
    await vi.waitFor(() =>
      expect(noted.join()).toContain('ends too early. What was configured before stands'),
    )
    change(() => ({ left: { server }, right: { server, tools: 'all' as never } }))
    await vi.waitFor(() => expect(noted.join()).toContain('upstream right: tools: expected'))
    change(() => ({ left: { server, prefix: 'l_' }, right: { server, pins: '/' } }))
    await vi.waitFor(() => expect(noted.join()).toContain('is a folder'))
    expect(await namesOf(client)).toEqual(['go'])
  })

  it('have their calls answered before they go', async () => {
    let finish: ((text: string) => void) | undefined
    const slow = defineTool({
      name: 'slow',
      run: () =>
        new Promise<string>((resolve) => {
          finish = resolve
        }),
    })
    const server = defineServer({ name: 'slow', version: '1', tools: [slow] })
    const { gateway, change } = changing(() => ({ slow: { server } }))
    const client = await clientOf(gateway)
    const answered = client.callTool('slow')
    await vi.waitFor(() => expect(stateOf(gateway, 'slow')?.underway).toBe(1))
    change(() => ({ other: { server: serverWith('other', 'go') } }))
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['go']))
    finish?.('done')
    expect(textOf(await answered)).toBe('done')
  })

  it('show what is left out until there is room for it', async () => {
    const right = { server: serverWith('right', 'go', 'on'), prefix: '' }
    const { gateway, change } = changing(() => ({ left: { server: serverWith('left', 'go'), prefix: '' } }))
    const client = await clientOf(gateway)
    const left = { server: serverWith('left', 'go'), prefix: '' }
    change(() => ({ left, right }))
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['go', 'on']))
    expect(stateOf(gateway, 'left')?.leftOut).toEqual([])
    expect(stateOf(gateway, 'right')?.leftOut).toEqual([
      'right: the tool go is left out: there is one of this name already. Give right another prefix, or the tool another name by rename',
    ])
    expect(stateOf(gateway, 'right')?.offered['tools']).toBe(1)
    change(() => ({ right }))
    await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['go', 'on']))
    expect(stateOf(gateway, 'right')?.leftOut).toEqual([])
    expect(textOf(await client.callTool('go'))).toBe('right: go')
  })
})

it('those that come use the file of pinned tools that is in use, and those that go leave it to the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-reload-'))
  ending.push(() => rmSync(folder, { recursive: true }))
  const pins = join(folder, 'pins.json')
  const pinned = (name: string) => ({ server: serverWith(name, 'go'), pins })
  const [old, stays, young] = [pinned('old'), pinned('stays'), pinned('young')]
  const { gateway, change } = changing(() => ({ old, stays }))
  const client = await clientOf(gateway)
  change(() => ({ stays, young }))
  await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['stays_go', 'young_go']))
  await vi.waitFor(() => expect(Object.keys(readBook(pins))).toEqual(['old', 'stays', 'young']))
  const other = { hash: 'sha256:x', approved: '', contract: { name: 'go' } }
  await changeBook(pins, (book) => ({ ...book, stays: { go: other } }))
  await vi.waitFor(async () => expect(await namesOf(client)).toEqual(['young_go']), { timeout: 10_000 })
  await vi.waitFor(() => expect(readBook(pins)['stays']?.['go']?.changed).toBeDefined())
})

it('two servers with one template start, and the second is left out', async () => {
  const templated = (name: string) =>
    defineServer({
      name,
      version: '1',
      templates: [{ uriTemplate: 'task://{id}', name: 'task', read: () => name }],
    })
  const { gateway } = changing(() => ({
    left: { server: templated('left') },
    right: { server: templated('right') },
  }))
  await clientOf(gateway)
  expect(stateOf(gateway, 'right')?.leftOut).toEqual([
    'right: task://{id} is left out: another upstream has it too. Write right before that one, or put one of them behind a gateway of its own',
  ])
})
