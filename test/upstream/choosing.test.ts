import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { readEntry } from '../../src/cli/gateway/entry.ts'
import { connect } from '../../src/client/index.ts'
import { createNodeHandler, defineServer, defineTool } from '../../src/index.ts'
import type { Call } from '../../src/kernel/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import type { UpstreamOptions } from '../../src/modules/upstream/options.ts'
import { clientOf, endAfterEach, ending, gatewayTo, listen, namesOf, noted, textOf } from './gateway-of.ts'

endAfterEach()

const github = () =>
  defineServer({
    name: 'github',
    version: '1',
    tools: ['get_issue', 'get_user', 'delete_issue', 'close'].map((name) =>
      defineTool({
        name,
        description: `does ${name}`,
        annotations: { readOnlyHint: true, idempotentHint: true },
        run: () => `${name} was called`,
      }),
    ),
  })

const chosen = async (options: UpstreamOptions) =>
  clientOf(gatewayTo({ github: { server: github(), ...options } }))

describe('of the tools of an upstream', () => {
  it.each<[readonly string[] | undefined, readonly string[]]>([
    [undefined, ['get_issue', 'get_user', 'delete_issue', 'close']],
    [['*'], ['get_issue', 'get_user', 'delete_issue', 'close']],
    [['get_*'], ['get_issue', 'get_user']],
    [
      ['*_issue', 'close', '!delete_*'],
      ['get_issue', 'close'],
    ],
    [
      ['!delete_*', '!get_us?r'],
      ['get_issue', 'close'],
    ],
    [['g*_*e'], ['get_issue']],
    [[], []],
  ])('%j chooses %j', async (tools, names) => {
    const client = await chosen(tools === undefined ? {} : { tools })
    expect(await namesOf(client)).toEqual(names)
  })

  it('one that was not chosen cannot be called', async () => {
    const client = await chosen({ tools: ['!delete_*'] })
    await expect(client.callTool('delete_issue')).rejects.toThrow('Unknown tool: delete_issue')
  })

  it('some have other names, descriptions and annotations here', async () => {
    const client = await chosen({
      tools: ['get_*'],
      prefix: 'gh_',
      rename: { get_issue: 'issue' },
      descriptions: { get_issue: 'reads an issue' },
      annotations: { get_issue: { readOnlyHint: false } },
    })
    expect((await client.tools())[0]).toMatchObject({
      name: 'gh_issue',
      description: 'reads an issue',
      annotations: { readOnlyHint: false, idempotentHint: true },
    })
    expect(await namesOf(client)).toEqual(['gh_issue', 'gh_get_user'])
    expect(textOf(await client.callTool('gh_issue'))).toBe('get_issue was called')
    expect(noted).toEqual([])
  })

  it('what is said of one that there is not is noted with the one that was meant', async () => {
    await chosen({ tools: ['*', '!delete_isue', 'nothing_like_it*'], rename: { get_usr: 'user' } })
    expect(noted).toEqual([
      'github: tools: !delete_isue matches none of its tools. Did you mean delete_issue?',
      'github: tools: nothing_like_it* matches none of its tools. Expected: get_issue, get_user, delete_issue, close',
      'github: rename: it has no tool get_usr. Did you mean get_user?',
    ])
  })
})

const told = defineTool({
  name: 'told',
  run: (_none, call) => {
    const { headers = {} } = (call as unknown as Call).outlet
    return JSON.stringify([
      headers['authorization'],
      headers['x-tenant'],
      headers['x-other'],
      headers['cookie'],
    ])
  },
})

const HEADERS = { authorization: 'Bearer ann', 'x-tenant': 'a', 'x-other': 'o', cookie: 'c=1' }

describe.each(['2025-11-25', '2026-07-28'])('the headers of a caller, to an upstream of %s', (revision) => {
  it.each<[readonly string[] | undefined, readonly (string | null)[]]>([
    [undefined, ['Bearer own', null, null, null]],
    [['x-tenant'], ['Bearer own', 'a', null, null]],
    [['*'], ['Bearer own', 'a', 'o', null]],
    [
      ['Authorization', 'X-*'],
      ['Bearer ann', 'a', 'o', null],
    ],
  ])('go on where %j names them', async (forwardHeaders, expected) => {
    const behind = defineServer({ name: 'behind', version: '1', tools: [told] })
    const url = await listen(createNodeHandler(behind, { allowAnonymous: true }))
    const gateway = gatewayTo({
      behind: {
        url,
        revision,
        headers: { Authorization: 'Bearer own' },
        ...(forwardHeaders && { forwardHeaders }),
      },
    })
    const front = await listen(createNodeHandler(gateway, { allowAnonymous: true }))
    for (const spoken of ['2025-11-25', '2026-07-28']) {
      const client = await connect(front, { headers: HEADERS, revision: spoken })
      ending.push(() => client.close())
      expect(JSON.parse(textOf(await client.callTool('told')))).toEqual(expected)
    }
    ending.push(() => behind.close())
  })
})

describe('what is wrong with what was chosen', () => {
  it.each([
    [{ command: 'x', tools: 'get_*' }, 'upstream x: tools: expected an array'],
    [{ command: 'x', rename: { a: 5 } }, 'upstream x: rename.a: expected a string, got the number 5'],
    [{ command: 'x', annotations: { a: 'b' } }, 'annotations.a: expected an object'],
    [{ command: 'x', forwardHeaders: ['x-a'] }, 'forwardHeaders are for an upstream with a url'],
    [{ url: 'http://127.0.0.1', forwardHeaders: ['Mcp-Session-Id'] }, 'not of the protocol itself'],
  ])('is said where it is written: %j', (options, message) => {
    expect(() => upstream('x', options as unknown as UpstreamOptions)).toThrow(message)
  })

  it.each([
    [{ url: 'u', prefx: 'x' }, 'x: there is no key prefx. Did you mean prefix?'],
    [{ url: 'u', forwardheader: [] }, 'Did you mean forwardHeaders?'],
    [{ url: 'u', somethingElse: 1 }, 'there is no key somethingElse. Expected: url'],
  ])('is said with the nearest name: %j', (entry, message) => {
    expect(() => readEntry(entry, 'x')).toThrow(message)
  })

  it('hosts have words of their own, of which some choose tools', () => {
    const entry = {
      type: 'http',
      httpUrl: 'u',
      timeout: 5,
      autoApprove: ['a'],
      startup_timeout: 1,
      includeTools: ['a', 'b'],
      excludeTools: ['b'],
      _remark: 'mine',
    }
    expect(readEntry(entry, 'x')).toEqual({ url: 'u', tools: ['a', 'b', '!b'] })
  })
})

it('one that is listed twice is there once, and keeps nobody from being served', async () => {
  const answers: { readonly [method: string]: object } = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'twice', version: '1' },
    },
    'tools/list': {
      tools: ['say', '__proto__', 'say'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    },
  }
  const reply = ({ id, method }: { id?: number; method: string }) => {
    const result = answers[method]
    const said = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
    return id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, ...said })
  }
  const url = await listen((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    void json(request).then((asked) => {
      const text = reply(asked as { id?: number; method: string })
      response.writeHead(text === '' ? 202 : 200, { 'content-type': 'application/json' }).end(text)
    })
  })
  const folder = mkdtempSync(join(tmpdir(), 'perigee-twice-'))
  ending.push(() => rmSync(folder, { recursive: true }))
  const client = await clientOf(gatewayTo({ twice: { url, pins: join(folder, 'pins.json') } }))
  expect(await namesOf(client)).toEqual(['say', '__proto__'])
  expect(noted).toEqual(['twice: the tool say is listed more than once: all but the first are left out'])
})
