import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { definePrompt, defineTool } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { type NamedUpstreams, upstreams } from '../../src/modules/upstream/index.ts'
import { perigee } from '../cli/run.ts'
import { script } from '../client/hostile.ts'
import { clientOf, endAfterEach, ending, lookedAt, namesOf, observe } from './gateway-of.ts'

endAfterEach()

function serverWith(...tools: readonly string[]): Server {
  const defined = tools.map((name) => defineTool({ name, run: () => name }))
  return defineServer({ name: 'behind', version: '1', tools: defined })
}

interface StrictGateway {
  readonly all: NamedUpstreams
  readonly tools?: readonly string[]
  readonly watch?: (changed: () => void) => () => void
}

function strictly({ all, tools = [], ...more }: StrictGateway): Server {
  const gateway = defineServer({
    name: 'gateway',
    version: '1',
    modules: [upstreams('upstreams', { read: () => all, strict: true, ...more })],
    tools: tools.map((name) => defineTool({ name, run: () => name })),
    observe,
  })
  ending.push(() => gateway.close())
  return gateway
}

const startOf = (all: NamedUpstreams, tools?: readonly string[]) =>
  strictly({ all, ...(tools && { tools }) }).start()

describe('a strict gateway does not start', () => {
  it('where tools of two servers meet, and says which, whose, and what helps', async () => {
    const all = { a: { server: serverWith('b_say', 'go') }, a_b: { server: serverWith('say') } }
    await expect(startOf(all)).rejects.toThrow(
      'strict: a_b_say would be the name of the tool b_say of a, and of the tool say of a_b. Mend it by rename, by "tools": ["!say"], or by another prefix',
    )
  })

  it('where a tool has a name that is too long with its prefix', async () => {
    const long = 'x'.repeat(58)
    const all = { one: { server: serverWith(long) }, two: { server: serverWith('go') } }
    await expect(startOf(all)).rejects.toThrow(
      `strict: one_${long} would be the name of the tool ${long} of one, which has 62 characters where 60 are allowed. Mend it by rename, by "tools": ["!${long}"], or by another prefix`,
    )
  })

  it('where a tool meets one of the server’s own, and where prompts meet', async () => {
    await expect(startOf({ one: { server: serverWith('go') } }, ['go'])).rejects.toThrow(
      'strict: go would be the name of the tool go of one, and of one that is not relayed.',
    )
    const server = defineServer({
      name: 'prompting',
      version: '1',
      prompts: [definePrompt({ name: 'hail', render: () => 'hail' })],
    })
    await expect(startOf({ one: { server, prefix: '' }, two: { server, prefix: '' } })).rejects.toThrow(
      'strict: hail would be the name of the prompt hail of one, and of the prompt hail of two. Mend it by another prefix',
    )
  })

  it('and says all that is wrong', async () => {
    const server = serverWith('go', 'come')
    const started = startOf({ one: { server, prefix: '' }, two: { server, prefix: '' } })
    await expect(started).rejects.toThrow(/strict: go would .*\nstrict: come would /)
  })
})

describe('a strict gateway starts', () => {
  it.each<[how: string, all: NamedUpstreams, names: readonly string[]]>([
    [
      'nothing meets',
      { one: { server: serverWith('go') }, two: { server: serverWith('go') } },
      ['one_go', 'two_go'],
    ],
    [
      'one is renamed',
      { a: { server: serverWith('b_say'), rename: { b_say: 'tell' } }, a_b: { server: serverWith('say') } },
      ['a_tell', 'a_b_say'],
    ],
    [
      'one is left out',
      { a: { server: serverWith('b_say', 'go'), tools: ['!b_say'] }, a_b: { server: serverWith('say') } },
      ['a_go', 'a_b_say'],
    ],
    [
      'names are long, and nothing stands before them',
      { one: { server: serverWith('x'.repeat(70)) } },
      ['x'.repeat(70)],
    ],
  ])('where %s', async (_how, all, names) => {
    const gateway = strictly({ all })
    expect(await namesOf(await clientOf(gateway))).toEqual(names)
  })

  it('where what is not known yet might meet', async () => {
    const silent = script('process.stdin.resume()')
    const all = { one: { server: serverWith('go'), prefix: '' }, silent: { ...silent, prefix: '' } }
    await expect(startOf(all)).resolves.toBeUndefined()
  })

  it('and leaves out what comes to meet later, as any does', async () => {
    const late = serverWith('go')
    const gateway = strictly({ all: { a: { server: late }, a_b: { server: serverWith('say') } } })
    const client = await clientOf(gateway)
    late.tools.add(defineTool({ name: 'b_say', run: () => 'late' }))
    await vi.waitFor(async () => {
      await lookedAt(gateway)
      expect([...gateway.relaying.upstreams][0]?.state.leftOut.join()).toContain('a_b_say is left out')
    })
    expect(await namesOf(client)).toEqual(['a_go', 'a_b_say'])
  })
})

describe('perigee gateway --strict', { timeout: 60_000 }, () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'perigee-strict-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const STUB = join(import.meta.dirname, 'quiet.mjs') // Its tool is called say.
  function written(second: object): string {
    const path = join(folder, 'mcp.json')
    const one = { command: process.execPath, args: [STUB], prefix: '' }
    writeFileSync(path, JSON.stringify({ mcpServers: { one, two: { ...one, ...second } } }))
    return path
  }
  const run = (path: string, ...flags: readonly string[]) =>
    perigee(['gateway', '--from', path, '--pins', 'off', '--log-level', 'off', ...flags])

  it.each([[], ['--http', '--port', '0'], ['--http', '--port', '0', '--workers', '2']])(
    'ends with code 2 where tools meet: %j',
    async (...flags) => {
      const { status, stderr } = await run(written({}), '--strict', ...flags)
      expect(stderr).toContain(
        'strict: say would be the name of the tool say of one, and of the tool say of two.',
      )
      expect(status).toBe(2)
    },
  )

  it('is a setting of a file as well', async () => {
    const config = join(folder, 'config.json')
    writeFileSync(config, JSON.stringify({ gateway: { strict: true } }))
    expect((await run(written({}), '--config', config)).status).toBe(2)
  })

  it('serves where none do, and without the flag', async () => {
    expect((await run(written({ prefix: 'two_' }), '--strict')).status).toBe(0)
    expect((await run(written({}))).status).toBe(0)
  })
})
